/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL contexts, their queues, programs, kernels and samplers. */
#include <learn/population/population.h>

#include <stdlib.h>

#define KERNELS 4
#define BROKEN 2 /* program whose build fails, before the compiler parses it */

const char *const population_source =
    "kernel void first(global int *a) { a[0] = 1; }\n"
    "kernel void second(global int *a, int b) { a[0] = b; }\n"
    "kernel void third(global int *a, global int *b) { a[0] = b[0]; }\n"
    "kernel void fourth(int a, global int *b, float c) { b[a] = c; }\n"
    "kernel void none(void) { }\n"
    "kernel void sum(global int *a, global int *b, global int *c) { a[0] = b[0] + c[0]; }\n";

static void CL_CALLBACK build_notify(const char *text, const void *information, size_t size,
                                     void *user_data)
{
    (void)text, (void)information, (void)size, (void)user_data;
}

static void CL_CALLBACK notify_build(cl_program program, void *user_data)
{
    (void)program, (void)user_data;
}

/* Contexts differ in their devices, if there are several, and in everything that is optional. */
static cl_context make_context(struct builder *builder, unsigned index)
{
    const struct icd *icd = builder->icd;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)icd->platform,
                                          0};
    cl_device_id devices[ICD_DEVICES];
    cl_uint count = icd->device_count > 1 ? 1 + (index + 1) % icd->device_count : 1 + index % 3;
    cl_context context;
    cl_int code;

    for (cl_uint i = 0; i < count; i++)
        devices[i] = icd->devices[(index + i) % icd->device_count];
    context = icd->table->clCreateContext(index % 2 != 0 ? properties : NULL, count, devices,
                                          index > 1 ? build_notify : NULL,
                                          index > 2 ? devices : NULL, &code);
    if (context == NULL)
        context = icd->table->clCreateContext(properties, 1, icd->devices, NULL, NULL, &code);
    return context;
}

/* A context with one device given twice: the count of distinct devices then differs from the
 * number that the context reports. */
static cl_context make_context_of_twins(struct builder *builder)
{
    const struct icd *icd = builder->icd;
    const cl_device_id twins[] = {icd->devices[0], icd->devices[0]};
    cl_int code;
    cl_context context = icd->table->clCreateContext(NULL, 2, twins, NULL, NULL, &code);

    return context != NULL ? context : make_context(builder, 0);
}

/* A context of two sub-devices of one device, if devices can be partitioned.  A runtime may
 * count the parent devices as well. */
static cl_context make_context_of_parts(struct builder *builder)
{
    const cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    const struct icd *icd = builder->icd;
    cl_device_id parts[ICD_DEVICES];
    cl_context context;
    cl_uint count = 0;
    cl_int code;

    if (!ICD_HAS(icd, 12, clCreateSubDevices) || !ICD_HAS(icd, 12, clReleaseDevice) ||
        icd->table->clCreateSubDevices(icd->devices[0], ones, ICD_DEVICES, parts, &count) !=
            CL_SUCCESS ||
        count < 2 || count > ICD_DEVICES)
        return make_context_of_twins(builder);
    context = icd->table->clCreateContext(NULL, 2, parts, NULL, NULL, &code);
    for (cl_uint i = 0; i < count; i++)
        icd->table->clReleaseDevice(parts[i]);
    return context != NULL ? context : make_context_of_twins(builder);
}

/* A context of all devices of a type, which a runtime may construct in another way. */
static cl_context make_context_of_type(const struct icd *icd)
{
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)icd->platform,
                                          0};
    cl_int code;

    if (!ICD_HAS(icd, 10, clCreateContextFromType))
        return NULL;
    return icd->table->clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &code);
}

bool population_make_contexts(struct builder *builder)
{
    for (unsigned i = 0; i < MAKE_CONTEXTS; i++) {
        struct specimen *specimen;

        builder->contexts[i] = make_context(builder, i);
        specimen = population_add(builder->population, specimen_context, builder->contexts[i]);
        if (specimen == NULL)
            return false;
        population_add_callbacks(builder, specimen, population_callback_count(i));
        population_retain(builder, specimen, (unsigned)population_number(builder, 0, 3) * 3 + i);
    }
    builder->is_absent[list_destructors] =
        !builder->icd->is_offline && !ICD_HAS(builder->icd, 30, clSetContextDestructorCallback);
    population_add(builder->population, specimen_context, make_context_of_parts(builder));
    population_add(builder->population, specimen_context, make_context_of_type(builder->icd));
    return true;
}

/* The first device of an OpenCL context. */
static cl_device_id device_of(struct builder *builder, cl_context context)
{
    cl_device_id devices[ICD_DEVICES * 2] = {builder->icd->devices[0]};

    builder->icd->table->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(devices), devices,
                                          NULL);
    return devices[0];
}

static cl_command_queue make_queue(struct builder *builder, unsigned index)
{
    static const cl_command_queue_properties wanted[] = {
        CL_QUEUE_PROFILING_ENABLE, 0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    const struct icd *icd = builder->icd;
    cl_context context = builder->contexts[index % MAKE_CONTEXTS];
    cl_device_id device = device_of(builder, context);
    cl_command_queue_properties properties = wanted[(index + index / 4) % 4];
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_command_queue queue;
    cl_int code;

    if (index % 3 == 1 && ICD_HAS(icd, 20, clCreateCommandQueueWithProperties))
        queue = icd->table->clCreateCommandQueueWithProperties(context, device, list, &code);
    else
        queue = icd->table->clCreateCommandQueue(context, device, properties, &code);
    if (queue == NULL)
        queue = icd->table->clCreateCommandQueue(context, device, 0, &code);
    return queue;
}

void population_make_queues(struct builder *builder)
{
    for (unsigned i = 0; i < MAKE_QUEUES; i++) {
        builder->queues[i] = make_queue(builder, i);
        population_retain(builder,
                          population_add(builder->population, specimen_queue, builder->queues[i]),
                          (unsigned)population_number(builder, 0, 5) * 3 + i % 3);
    }
}

/* How each program is built, by its number.  A build with other options is another
 * compilation. */
static const struct build {
    const char *options;
    bool is_notified;
} builds[BROKEN + 1] = {{NULL, false}, {"", true}, [BROKEN] = {"-DANY=1", true}};

static void make_kernels(struct builder *builder, cl_program program, const struct build *build)
{
    static const char *const names[KERNELS] = {"first", "second", "third", "fourth"};
    cl_int code;

    if (builder->icd->table->clBuildProgram(program, 0, NULL, build->options,
                                            build->is_notified ? notify_build : NULL,
                                            NULL) != CL_SUCCESS)
        return;
    for (unsigned i = 0; i < KERNELS; i++) {
        cl_kernel kernel = builder->icd->table->clCreateKernel(program, names[i], &code);
        cl_mem buffer = NULL;

        population_retain(builder, population_add(builder->population, specimen_kernel, kernel),
                          (unsigned)population_number(builder, 0, 8) * 2);
        if (kernel != NULL && i % 2 != 0)
            builder->icd->table->clSetKernelArg(kernel, i - 1, sizeof(cl_mem), &buffer);
    }
}

/* A program created from the binary of another one. */
static void make_from_binary(struct builder *builder, cl_context context, cl_program built)
{
    const cl_icd_dispatch *table = builder->icd->table;
    cl_device_id device = device_of(builder, context);
    size_t size = 0;
    unsigned char *binary;
    cl_uint count = 0;
    cl_int code;

    if (!ICD_HAS(builder->icd, 10, clCreateProgramWithBinary))
        return;
    table->clGetProgramInfo(built, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL);
    if (count != 1 || table->clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size,
                                              NULL) != CL_SUCCESS)
        return;
    binary = size != 0 ? malloc(size) : NULL;
    if (binary != NULL && table->clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof(binary),
                                                  &binary, NULL) == CL_SUCCESS)
        population_add(builder->population, specimen_program,
                       table->clCreateProgramWithBinary(context, 1, &device, &size,
                                                        (const unsigned char **)&binary, NULL,
                                                        &code));
    free(binary);
}

/* Programs that were built, that were not, and one whose build failed. */
void population_make_programs(struct builder *builder)
{
    const char *broken = "#error no program\n";
    const char *source = population_source;
    cl_int code;

    for (unsigned i = 0; i < MAKE_CONTEXTS + 2; i++) {
        cl_program program = builder->icd->table->clCreateProgramWithSource(
            builder->contexts[i % MAKE_CONTEXTS], 1, i == BROKEN ? &broken : &source, NULL, &code);

        population_retain(builder, population_add(builder->population, specimen_program, program),
                          (unsigned)population_number(builder, 0, 5) * 2 + i);
        if (program != NULL && (i < 2 || i == BROKEN))
            make_kernels(builder, program, &builds[i]);
        if (program != NULL && i < 2)
            make_from_binary(builder, builder->contexts[i], program);
    }
}

void population_make_samplers(struct builder *builder)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_NONE};
    cl_int code;

    for (unsigned i = 0; i < 2 * MAKE_CONTEXTS; i++)
        population_retain(
            builder,
            population_add(builder->population, specimen_sampler,
                           builder->icd->table->clCreateSampler(
                               builder->contexts[i % MAKE_CONTEXTS], i % 2, modes[i % 4],
                               i % 3 != 0 ? CL_FILTER_NEAREST : CL_FILTER_LINEAR, &code)),
            (unsigned)population_number(builder, 0, 4) * 4 + i % 3);
}
