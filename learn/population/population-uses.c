/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands of many types that use memory objects of their own, to find out which objects the
 * runtime keeps alive for them.  They wait for the gate of their OpenCL context. */
#include <learn/population/population.h>

#define QUEUE 1      /* it has no other commands */
#define IDLE_QUEUE 5 /* of the same OpenCL context, without any commands */
#define MOST_USED 3
#define BYTES 64

/* Enqueues a command on QUEUE that uses MEMOBJS. */
typedef cl_int enqueue_fn(struct maker *maker, const cl_mem *memobjs, cl_event *event);

static const cl_event *gate_of(struct maker *maker)
{
    return &maker->gates[QUEUE % MAKE_CONTEXTS];
}

static cl_int enqueue_read(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    static unsigned char bytes[BYTES];

    return maker->icd->table->clEnqueueReadBuffer(maker->queues[QUEUE], memobjs[0], CL_FALSE, 0,
                                                  BYTES, bytes, 1, gate_of(maker), event);
}

static cl_int enqueue_write(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    static const unsigned char bytes[BYTES];

    return maker->icd->table->clEnqueueWriteBuffer(maker->queues[QUEUE], memobjs[0], CL_FALSE, 0,
                                                   BYTES, bytes, 1, gate_of(maker), event);
}

static cl_int enqueue_copy(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    if (!ICD_HAS(maker->icd, 10, clEnqueueCopyBuffer))
        return CL_INVALID_OPERATION;
    return maker->icd->table->clEnqueueCopyBuffer(maker->queues[QUEUE], memobjs[0], memobjs[1], 0,
                                                  0, BYTES, 1, gate_of(maker), event);
}

static cl_int enqueue_fill(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    const cl_uint pattern = 1;

    if (!ICD_HAS(maker->icd, 12, clEnqueueFillBuffer))
        return CL_INVALID_OPERATION;
    return maker->icd->table->clEnqueueFillBuffer(maker->queues[QUEUE], memobjs[0], &pattern,
                                                  sizeof(pattern), 0, BYTES, 1, gate_of(maker),
                                                  event);
}

static cl_int enqueue_migration(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    if (!ICD_HAS(maker->icd, 12, clEnqueueMigrateMemObjects))
        return CL_INVALID_OPERATION;
    return maker->icd->table->clEnqueueMigrateMemObjects(maker->queues[QUEUE], 2, memobjs, 0, 1,
                                                         gate_of(maker), event);
}

static cl_int enqueue_map(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    cl_int code = CL_INVALID_OPERATION;
    void *pointer;

    if (maker->map_count == MAKE_MAPS || !ICD_HAS(maker->icd, 10, clEnqueueMapBuffer))
        return code;
    pointer = maker->icd->table->clEnqueueMapBuffer(maker->queues[QUEUE], memobjs[0], CL_FALSE,
                                                    CL_MAP_READ, 0, BYTES, 1, gate_of(maker), event,
                                                    &code);
    if (pointer == NULL)
        return code;
    maker->maps[maker->map_count].queue = maker->queues[QUEUE];
    maker->maps[maker->map_count].memobj = memobjs[0];
    maker->maps[maker->map_count++].pointer = pointer;
    return code;
}

static cl_int enqueue_unmap(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    const cl_icd_dispatch *table = maker->icd->table;
    cl_int code = CL_INVALID_OPERATION;
    void *pointer = NULL;

    if (ICD_HAS(maker->icd, 10, clEnqueueMapBuffer))
        pointer = table->clEnqueueMapBuffer(maker->queues[IDLE_QUEUE], memobjs[0], CL_TRUE,
                                            CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &code);
    if (pointer == NULL)
        return code;
    return table->clEnqueueUnmapMemObject(maker->queues[QUEUE], memobjs[0], pointer, 1,
                                          gate_of(maker), event);
}

/* Enqueue kernel NAME, whose COUNT arguments are buffers. */
static cl_int enqueue_kernel(struct maker *maker, const char *name, const cl_mem *memobjs,
                             cl_uint count, cl_event *event)
{
    static const char *const source =
        "kernel void none(void) { }\n"
        "kernel void one(global int *a) { a[0] = 1; }\n"
        "kernel void three(global int *a, global int *b, global int *c) { a[0] = b[0] + c[0]; }\n";
    const cl_icd_dispatch *table = maker->icd->table;
    const size_t size = 1;
    const char *text = source;
    cl_program program;
    cl_kernel kernel;
    cl_int code;

    program = table->clCreateProgramWithSource(maker->contexts[QUEUE % MAKE_CONTEXTS], 1, &text,
                                               NULL, &code);
    population_add(maker->population, subject_program, program);
    if (program == NULL || !ICD_HAS(maker->icd, 10, clEnqueueNDRangeKernel) ||
        table->clBuildProgram(program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
        return CL_INVALID_OPERATION;
    kernel = table->clCreateKernel(program, name, &code);
    population_add(maker->population, subject_kernel, kernel);
    for (cl_uint i = 0; kernel != NULL && i < count && code == CL_SUCCESS; i++)
        code = table->clSetKernelArg(kernel, i, sizeof(memobjs[i]), &memobjs[i]);
    if (kernel == NULL || code != CL_SUCCESS)
        return CL_INVALID_OPERATION;
    return table->clEnqueueNDRangeKernel(maker->queues[QUEUE], kernel, 1, NULL, &size, NULL, 1,
                                         gate_of(maker), event);
}

static cl_int enqueue_no_buffer(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(maker, "none", memobjs, 0, event);
}

static cl_int enqueue_one_buffer(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(maker, "one", memobjs, 1, event);
}

static cl_int enqueue_three_buffers(struct maker *maker, const cl_mem *memobjs, cl_event *event)
{
    return enqueue_kernel(maker, "three", memobjs, 3, event);
}

/* A buffer that nothing else uses. */
static cl_mem make_buffer(struct maker *maker)
{
    cl_int code;
    cl_mem buffer = maker->icd->table->clCreateBuffer(
        maker->contexts[QUEUE % MAKE_CONTEXTS], CL_MEM_READ_WRITE,
        1024 + 4 * (size_t)maker_number(maker, 1, 4000), NULL, &code);

    maker_retain(maker, population_add(maker->population, subject_buffer, buffer),
                 (unsigned)maker_number(maker, 0, 6) * 2);
    return buffer;
}

static void make_use(struct maker *maker, enqueue_fn *enqueue, unsigned count)
{
    struct subject *owner = population_find(maker->population, maker->queues[QUEUE]);
    cl_mem memobjs[MOST_USED];
    cl_event event = NULL;

    for (unsigned i = 0; i < count; i++) {
        memobjs[i] = make_buffer(maker);
        if (memobjs[i] == NULL)
            return;
    }
    if (enqueue(maker, memobjs, &event) != CL_SUCCESS || event == NULL)
        return;
    maker_keep_memobjs(population_add(maker->population, subject_event, event), memobjs, count);
    subject_list_add(owner, list_events, (uintptr_t)event, 0);
}

void maker_make_uses(struct maker *maker)
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

    if (maker->queues[QUEUE] == NULL || maker->queues[IDLE_QUEUE] == NULL ||
        *gate_of(maker) == NULL)
        return;
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
        make_use(maker, uses[i].enqueue, uses[i].count);
}
