/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads what the runtime reports about the objects. */
#include <learn/population/population.h>

#include <string.h>
#include <time.h>

#define SETTLE_ROUNDS 500
#define SETTLE_CALM 3 /* rounds without a change */

/* Any of the clGet*Info functions. */
typedef cl_int(CL_API_CALL *info_fn)(void *handle, cl_uint name, size_t size, void *value,
                                     size_t *size_given);

struct question {
    enum fact fact;
    cl_uint name;
};

#define QUESTIONS_END                                                                              \
    {                                                                                              \
        FACTS, 0                                                                                   \
    }

static const struct question about_context[] = {
    {fact_references, CL_CONTEXT_REFERENCE_COUNT},
    {fact_device_count, CL_CONTEXT_NUM_DEVICES},
    QUESTIONS_END,
};
static const struct question about_queue[] = {
    {fact_references, CL_QUEUE_REFERENCE_COUNT},
    {fact_context_of, CL_QUEUE_CONTEXT},
    {fact_device_of, CL_QUEUE_DEVICE},
    {fact_properties, CL_QUEUE_PROPERTIES},
    QUESTIONS_END,
};
static const struct question about_memobj[] = {
    {fact_references, CL_MEM_REFERENCE_COUNT},
    {fact_context_of, CL_MEM_CONTEXT},
    {fact_type, CL_MEM_TYPE},
    {fact_size, CL_MEM_SIZE},
    {fact_flags, CL_MEM_FLAGS},
    {fact_host_pointer, CL_MEM_HOST_PTR},
    {fact_parent, CL_MEM_ASSOCIATED_MEMOBJECT},
    {fact_origin, CL_MEM_OFFSET},
    {fact_map_count, CL_MEM_MAP_COUNT},
    QUESTIONS_END,
};
static const struct question about_image[] = {
    {fact_width, CL_IMAGE_WIDTH},
    {fact_height, CL_IMAGE_HEIGHT},
    {fact_depth, CL_IMAGE_DEPTH},
    {fact_array_size, CL_IMAGE_ARRAY_SIZE},
    {fact_row_pitch, CL_IMAGE_ROW_PITCH},
    {fact_slice_pitch, CL_IMAGE_SLICE_PITCH},
    QUESTIONS_END,
};
static const struct question about_event[] = {
    {fact_references, CL_EVENT_REFERENCE_COUNT},      {fact_context_of, CL_EVENT_CONTEXT},
    {fact_queue_of, CL_EVENT_COMMAND_QUEUE},          {fact_command_type, CL_EVENT_COMMAND_TYPE},
    {fact_status, CL_EVENT_COMMAND_EXECUTION_STATUS}, QUESTIONS_END,
};
static const struct question about_program[] = {
    {fact_references, CL_PROGRAM_REFERENCE_COUNT},
    {fact_context_of, CL_PROGRAM_CONTEXT},
    QUESTIONS_END,
};
static const struct question about_kernel[] = {
    {fact_references, CL_KERNEL_REFERENCE_COUNT},
    {fact_context_of, CL_KERNEL_CONTEXT},
    {fact_program_of, CL_KERNEL_PROGRAM},
    QUESTIONS_END,
};
static const struct question about_sampler[] = {
    {fact_references, CL_SAMPLER_REFERENCE_COUNT},   {fact_context_of, CL_SAMPLER_CONTEXT},
    {fact_normalized, CL_SAMPLER_NORMALIZED_COORDS}, {fact_addressing, CL_SAMPLER_ADDRESSING_MODE},
    {fact_filtering, CL_SAMPLER_FILTER_MODE},        QUESTIONS_END,
};

static void ask_runtime(struct specimen *specimen, const struct question *questions, void *function)
{
    info_fn get = (info_fn)function;

    for (; questions->fact != FACTS; questions++) {
        uint64_t value = 0;
        size_t size = 0;

        if (get((void *)specimen->handle, questions->name, sizeof(value), &value, &size) !=
                CL_SUCCESS ||
            (size != 4 && size != 8))
            continue;
        if (size == 4) {
            uint32_t half;

            memcpy(&half, &value, sizeof(half));
            value = half;
        }
        specimen_set(specimen, questions->fact, value);
    }
}

static void forget_fact(struct specimen *specimen, enum fact fact)
{
    specimen->known &= ~(UINT64_C(1) << fact);
}

/* Forget values that runtimes may store in any way, as they mean nothing for the object. */
static void forget_what_means_nothing(struct specimen *specimen)
{
    uint64_t type = specimen->values[fact_type];

    if ((specimen->values[fact_flags] & CL_MEM_USE_HOST_PTR) == 0)
        forget_fact(specimen, fact_host_pointer);
    if (specimen->values[fact_parent] == 0 || specimen->kind != specimen_buffer)
        forget_fact(specimen, fact_origin);
    if (specimen->kind == specimen_pipe)
        forget_fact(specimen, fact_parent);
    if (specimen->kind != specimen_image)
        return;
    if (type != CL_MEM_OBJECT_IMAGE2D && type != CL_MEM_OBJECT_IMAGE2D_ARRAY &&
        type != CL_MEM_OBJECT_IMAGE3D)
        forget_fact(specimen, fact_height);
    if (type != CL_MEM_OBJECT_IMAGE3D)
        forget_fact(specimen, fact_depth);
    if (type != CL_MEM_OBJECT_IMAGE1D_ARRAY && type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
        forget_fact(specimen, fact_array_size);
    if (type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE2D ||
        type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        forget_fact(specimen, fact_slice_pitch);
}

static void ask_memobj(const cl_icd_dispatch *table, struct specimen *specimen)
{
    cl_image_format format;

    ask_runtime(specimen, about_memobj, (void *)table->clGetMemObjectInfo);
    if (specimen->kind == specimen_image) {
        ask_runtime(specimen, about_image, (void *)table->clGetImageInfo);
        if (table->clGetImageInfo((cl_mem)specimen->handle, CL_IMAGE_FORMAT, sizeof(format),
                                  &format, NULL) == CL_SUCCESS) {
            specimen_set(specimen, fact_channel_order, format.image_channel_order);
            specimen_set(specimen, fact_channel_type, format.image_channel_data_type);
        }
    }
    forget_what_means_nothing(specimen);
}

/* For a user event without a status, runtimes report CL_SUBMITTED but may store another value. */
static void ask_event(const cl_icd_dispatch *table, struct specimen *specimen)
{
    ask_runtime(specimen, about_event, (void *)table->clGetEventInfo);
    if (specimen->values[fact_command_type] == CL_COMMAND_USER &&
        specimen->values[fact_status] == CL_SUBMITTED)
        forget_fact(specimen, fact_status);
}

/* The status of a program's last build, for the first of its devices. */
static void ask_program(const struct icd *icd, struct specimen *specimen)
{
    const cl_icd_dispatch *table = icd->table;
    cl_device_id devices[ICD_DEVICES * 2] = {NULL};
    cl_build_status status;

    ask_runtime(specimen, about_program, (void *)table->clGetProgramInfo);
    if (ICD_HAS(icd, 10, clGetProgramBuildInfo) &&
        table->clGetProgramInfo((cl_program)specimen->handle, CL_PROGRAM_DEVICES, sizeof(devices),
                                devices, NULL) == CL_SUCCESS &&
        table->clGetProgramBuildInfo((cl_program)specimen->handle, devices[0],
                                     CL_PROGRAM_BUILD_STATUS, sizeof(status), &status,
                                     NULL) == CL_SUCCESS)
        specimen_set(specimen, fact_build_status, (uint32_t)status);
}

/* The devices of an OpenCL context. */
static void ask_devices(const cl_icd_dispatch *table, struct specimen *specimen)
{
    cl_device_id devices[ICD_DEVICES * 2] = {NULL};
    size_t size = 0;

    if (table->clGetContextInfo((cl_context)specimen->handle, CL_CONTEXT_DEVICES, sizeof(devices),
                                devices, &size) != CL_SUCCESS)
        return;
    specimen_list_begin(specimen, list_devices);
    for (size_t i = 0; i < size / sizeof(devices[0]); i++)
        specimen_list_add(specimen, list_devices, (uintptr_t)devices[i], 0);
}

static void measure_specimen(struct builder *builder)
{
    const cl_icd_dispatch *table = builder->icd->table;

    for (unsigned i = 0; i < builder->population->count; i++) {
        struct specimen *specimen = &builder->population->specimens[i];

        switch (specimen->kind) {
        case specimen_context:
            ask_runtime(specimen, about_context, (void *)table->clGetContextInfo);
            ask_devices(table, specimen);
            break;
        case specimen_queue:
            ask_runtime(specimen, about_queue, (void *)table->clGetCommandQueueInfo);
            break;
        case specimen_buffer:
        case specimen_image:
        case specimen_pipe:
            ask_memobj(table, specimen);
            break;
        case specimen_event:
            ask_event(table, specimen);
            break;
        case specimen_program:
            ask_program(builder->icd, specimen);
            break;
        case specimen_kernel:
            ask_runtime(specimen, about_kernel, (void *)table->clGetKernelInfo);
            break;
        case specimen_sampler:
            ask_runtime(specimen, about_sampler, (void *)table->clGetSamplerInfo);
            break;
        default:
            break;
        }
    }
}

/* A hash of everything that the runtime reports about a population. */
static uint64_t sum_of(const struct population *population)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < population->count; i++)
        for (enum fact fact = 0; fact < FACTS; fact++)
            sum = sum * 31 + population->specimens[i].values[fact];
    return sum;
}

void population_measure(struct builder *builder)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    uint64_t before = 0;
    unsigned calm = 0;

    /* Threads of the runtime release commands some time after these have run. */
    for (unsigned i = 0; i < SETTLE_ROUNDS && calm < SETTLE_CALM; i++) {
        uint64_t sum;

        measure_specimen(builder);
        sum = sum_of(builder->population);
        calm = sum == before ? calm + 1 : 0;
        before = sum;
        nanosleep(&moment, NULL);
    }
}
