/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands of many types that use memory objects of their own, to find out which objects the
 * runtime keeps alive for them.  They wait for the gate of their OpenCL context. */
#include <learn/population/population.h>

#define QUEUE 1      /* it has no other commands */
#define IDLE_QUEUE 5 /* of the same OpenCL context, without any commands */
#define MOST_USED 3
#define BYTES 64

/* Enqueues a command on QUEUE that uses MEMOBJS. */
typedef cl_int enqueue_fn(struct builder *builder, const cl_mem *memobjs, cl_event *event);

static const cl_event *gate_of(struct builder *builder)
{
    return &builder->gates[QUEUE % MAKE_CONTEXTS];
}

static cl_int enqueue_read(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    static unsigned char bytes[BYTES];

    return builder->icd->table->clEnqueueReadBuffer(builder->queues[QUEUE], memobjs[0], CL_FALSE, 0,
                                                    BYTES, bytes, 1, gate_of(builder), event);
}

static cl_int enqueue_write(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    static const unsigned char bytes[BYTES];

    return builder->icd->table->clEnqueueWriteBuffer(builder->queues[QUEUE], memobjs[0], CL_FALSE,
                                                     0, BYTES, bytes, 1, gate_of(builder), event);
}

static cl_int enqueue_copy(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    if (!ICD_HAS(builder->icd, 10, clEnqueueCopyBuffer))
        return CL_INVALID_OPERATION;
    return builder->icd->table->clEnqueueCopyBuffer(builder->queues[QUEUE], memobjs[0], memobjs[1],
                                                    0, 0, BYTES, 1, gate_of(builder), event);
}

static cl_int enqueue_fill(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    const cl_uint pattern = 1;

    if (!ICD_HAS(builder->icd, 12, clEnqueueFillBuffer))
        return CL_INVALID_OPERATION;
    return builder->icd->table->clEnqueueFillBuffer(builder->queues[QUEUE], memobjs[0], &pattern,
                                                    sizeof(pattern), 0, BYTES, 1, gate_of(builder),
                                                    event);
}

static cl_int enqueue_migration(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    if (!ICD_HAS(builder->icd, 12, clEnqueueMigrateMemObjects))
        return CL_INVALID_OPERATION;
    return builder->icd->table->clEnqueueMigrateMemObjects(builder->queues[QUEUE], 2, memobjs, 0, 1,
                                                           gate_of(builder), event);
}

static cl_int enqueue_map(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    cl_int code = CL_INVALID_OPERATION;
    void *pointer;

    if (builder->map_count == MAKE_MAPS || !ICD_HAS(builder->icd, 10, clEnqueueMapBuffer))
        return code;
    pointer = builder->icd->table->clEnqueueMapBuffer(builder->queues[QUEUE], memobjs[0], CL_FALSE,
                                                      CL_MAP_READ, 0, BYTES, 1, gate_of(builder),
                                                      event, &code);
    if (pointer == NULL)
        return code;
    builder->maps[builder->map_count].queue = builder->queues[QUEUE];
    builder->maps[builder->map_count].memobj = memobjs[0];
    builder->maps[builder->map_count++].pointer = pointer;
    return code;
}

static cl_int enqueue_unmap(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    const cl_icd_dispatch *table = builder->icd->table;
    cl_int code = CL_INVALID_OPERATION;
    void *pointer = NULL;

    if (ICD_HAS(builder->icd, 10, clEnqueueMapBuffer))
        pointer = table->clEnqueueMapBuffer(builder->queues[IDLE_QUEUE], memobjs[0], CL_TRUE,
                                            CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &code);
    if (pointer == NULL)
        return code;
    return table->clEnqueueUnmapMemObject(builder->queues[QUEUE], memobjs[0], pointer, 1,
                                          gate_of(builder), event);
}

/* Build the program whose kernels commands run, once.  Returns NULL on failure. */
static cl_program build_program(struct builder *builder)
{
    const cl_icd_dispatch *table = builder->icd->table;
    const char *source = population_source;
    cl_program program = builder->of_commands;
    cl_int code;

    if (program != NULL || !ICD_HAS(builder->icd, 10, clEnqueueNDRangeKernel))
        return program;
    program = table->clCreateProgramWithSource(builder->contexts[QUEUE % MAKE_CONTEXTS], 1, &source,
                                               NULL, &code);
    population_add(builder->population, specimen_program, program);
    if (program != NULL && table->clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS)
        builder->of_commands = program;
    return builder->of_commands;
}

/* Enqueue kernel NAME, whose COUNT arguments are buffers. */
static cl_int enqueue_kernel(struct builder *builder, const char *name, const cl_mem *memobjs,
                             cl_uint count, cl_event *event)
{
    const cl_icd_dispatch *table = builder->icd->table;
    const size_t size = 1;
    cl_program program = build_program(builder);
    cl_kernel kernel;
    cl_int code;

    if (program == NULL)
        return CL_INVALID_OPERATION;
    kernel = table->clCreateKernel(program, name, &code);
    population_add(builder->population, specimen_kernel, kernel);
    for (cl_uint i = 0; kernel != NULL && i < count && code == CL_SUCCESS; i++)
        code = table->clSetKernelArg(kernel, i, sizeof(memobjs[i]), &memobjs[i]);
    if (kernel == NULL || code != CL_SUCCESS)
        return CL_INVALID_OPERATION;
    return table->clEnqueueNDRangeKernel(builder->queues[QUEUE], kernel, 1, NULL, &size, NULL, 1,
                                         gate_of(builder), event);
}

static cl_int enqueue_no_buffer(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(builder, "none", memobjs, 0, event);
}

static cl_int enqueue_one_buffer(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(builder, "first", memobjs, 1, event);
}

static cl_int enqueue_three_buffers(struct builder *builder, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(builder, "sum", memobjs, 3, event);
}

/* A buffer that nothing else uses. */
static cl_mem make_buffer(struct builder *builder)
{
    cl_int code;
    cl_mem buffer = builder->icd->table->clCreateBuffer(
        builder->contexts[QUEUE % MAKE_CONTEXTS], CL_MEM_READ_WRITE,
        1024 + 4 * (size_t)population_number(builder, 1, 4000), NULL, &code);

    population_retain(builder, population_add(builder->population, specimen_buffer, buffer),
                      (unsigned)population_number(builder, 0, 6) * 2);
    return buffer;
}

static void make_use(struct builder *builder, enqueue_fn *enqueue, unsigned count)
{
    struct specimen *owner = population_find(builder->population, builder->queues[QUEUE]);
    cl_mem memobjs[MOST_USED];
    cl_event event = NULL;

    for (unsigned i = 0; i < count; i++) {
        memobjs[i] = make_buffer(builder);
        if (memobjs[i] == NULL)
            return;
    }
    if (enqueue(builder, memobjs, &event) != CL_SUCCESS || event == NULL)
        return;
    population_record_memobjs(population_add(builder->population, specimen_event, event), memobjs,
                              count);
    specimen_list_add(owner, list_events, (uintptr_t)event, 0);
}

void population_make_uses(struct builder *builder)
{
    static const struct {
        enqueue_fn *enqueue;
        unsigned count; /* of memory objects */
    } uses[] = {
        {enqueue_read, 1},          {enqueue_write, 1},         {enqueue_copy, 2},
        {enqueue_fill, 1},          {enqueue_migration, 2},     {enqueue_map, 1},
        {enqueue_unmap, 1},         {enqueue_no_buffer, 0},     {enqueue_one_buffer, 1},
        {enqueue_three_buffers, 3}, {enqueue_three_buffers, 3},
    };

    if (builder->queues[QUEUE] == NULL || builder->queues[IDLE_QUEUE] == NULL ||
        *gate_of(builder) == NULL)
        return;
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
        make_use(builder, uses[i].enqueue, uses[i].count);
}
