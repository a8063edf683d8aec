/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that commands produce: events, mapped memory, shared virtual memory and its frees. */
#include <learn/population/population.h>

#include <string.h>

#define USER_EVENTS 8
#define FREED_TOGETHER 3
#define ASKED_SIZE 4096

/* Whether the runtime reports that none of its devices has shared virtual memory, and its
 * function returns none.  For devices that do not exist, it may report anything. */
static bool lacks_svm(const struct builder *builder)
{
    const struct icd *icd = builder->icd;
    void *pointer;

    for (cl_uint i = 0; i < icd->device_count; i++) {
        cl_device_svm_capabilities capabilities = 0;

        if (icd->table->clGetDeviceInfo(icd->devices[i], CL_DEVICE_SVM_CAPABILITIES,
                                        sizeof(capabilities), &capabilities, NULL) != CL_SUCCESS ||
            capabilities != 0)
            return false;
    }
    if (icd->is_offline)
        return false;
    if (!ICD_HAS(icd, 20, clSVMAlloc))
        return true;
    pointer = icd->table->clSVMAlloc(builder->contexts[0], CL_MEM_READ_WRITE, ASKED_SIZE, 0);
    if (pointer != NULL && ICD_HAS(icd, 20, clSVMFree))
        icd->table->clSVMFree(builder->contexts[0], pointer);
    return pointer == NULL;
}

void population_make_svm(struct builder *builder)
{
    /* Also more than a tree node holds. */
    static const unsigned counts[MAKE_CONTEXTS] = {3, 0, 5, 14};
    cl_device_svm_capabilities capabilities = 0;

    builder->is_absent[list_svm] = lacks_svm(builder);
    if (!ICD_HAS(builder->icd, 20, clSVMAlloc) || !ICD_HAS(builder->icd, 20, clSVMFree))
        return;
    builder->icd->table->clGetDeviceInfo(builder->icd->devices[0], CL_DEVICE_SVM_CAPABILITIES,
                                         sizeof(capabilities), &capabilities, NULL);
    for (unsigned i = 0; i < MAKE_CONTEXTS && capabilities != 0; i++) {
        struct specimen *specimen = population_find(builder->population, builder->contexts[i]);

        specimen_list_begin(specimen, list_svm);
        for (unsigned j = 0; j < counts[i]; j++) {
            size_t size = 16 * (size_t)population_number(builder, 10, 500);
            void *pointer =
                builder->icd->table->clSVMAlloc(builder->contexts[i], CL_MEM_READ_WRITE, size, 0);

            if (pointer == NULL)
                continue;
            specimen_list_add(specimen, list_svm, (uintptr_t)pointer, size);
            builder->svm[builder->svm_count].context = builder->contexts[i];
            builder->svm[builder->svm_count++].pointer = pointer;
        }
        if (specimen->lists[list_svm].count == 0 && counts[i] != 0)
            specimen->lists[list_svm].is_known = false;
    }
}

/* A queue in the OpenCL context of a memory object, or NULL. */
static cl_command_queue queue_for(struct builder *builder, cl_mem memobj)
{
    cl_context context = NULL;

    builder->icd->table->clGetMemObjectInfo(memobj, CL_MEM_CONTEXT, sizeof(context), &context,
                                            NULL);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (builder->contexts[i % MAKE_CONTEXTS] == context)
            return builder->queues[i];
    return NULL;
}

/* Map a part of a memory object; for buffers, not from the beginning. */
static void *map_memobj(struct builder *builder, struct specimen *specimen)
{
    static const size_t origin[3] = {1, 1, 0};
    static const size_t region[3] = {2, 1, 1};
    const cl_icd_dispatch *table = builder->icd->table;
    cl_mem memobj = (cl_mem)specimen->handle;
    cl_command_queue queue = queue_for(builder, memobj);
    size_t pitches[2];
    void *pointer;
    cl_int code;

    if (queue == NULL || builder->map_count == MAKE_MAPS)
        return NULL;
    if (specimen->kind == specimen_buffer)
        pointer = table->clEnqueueMapBuffer(queue, memobj, CL_TRUE, CL_MAP_READ,
                                            8 * (size_t)population_number(builder, 1, 60), 64, 0,
                                            NULL, NULL, &code);
    else
        pointer = table->clEnqueueMapImage(queue, memobj, CL_TRUE, CL_MAP_READ, origin, region,
                                           &pitches[0], &pitches[1], 0, NULL, NULL, &code);
    if (pointer != NULL) {
        builder->maps[builder->map_count].queue = queue;
        builder->maps[builder->map_count].memobj = memobj;
        builder->maps[builder->map_count++].pointer = pointer;
    }
    return pointer;
}

/* Map the first LIMIT objects of a kind, each a different number of times. */
static void map_kind(struct builder *builder, enum specimen_kind kind, unsigned limit)
{
    static const unsigned counts[] = {1, 0, 2, 1, 3, 1, 0, 1};
    unsigned number = 0;

    for (unsigned i = 0; i < builder->population->count && number < limit; i++) {
        struct specimen *specimen = &builder->population->specimens[i];
        void *pointer = NULL;
        unsigned wanted;

        if (specimen->kind != kind)
            continue;
        wanted = counts[number++ % 8];
        for (unsigned j = 0; j < wanted; j++)
            pointer = map_memobj(builder, specimen);
        if (wanted == 1 && pointer != NULL)
            specimen_set(specimen, fact_mapped_pointer, (uintptr_t)pointer);
    }
}

void population_make_maps(struct builder *builder)
{
    if (ICD_HAS(builder->icd, 10, clEnqueueMapBuffer))
        map_kind(builder, specimen_buffer, 14);
    if (ICD_HAS(builder->icd, 10, clEnqueueMapImage))
        map_kind(builder, specimen_image, 12);
}

static void CL_CALLBACK event_callback(cl_event event, cl_int status, void *user_data)
{
    (void)event, (void)status, (void)user_data;
}

void population_record_memobjs(struct specimen *event, const cl_mem *memobjs, unsigned count)
{
    specimen_list_begin(event, list_memobjs);
    for (unsigned i = 0; i < count; i++)
        specimen_list_add(event, list_memobjs, (uintptr_t)memobjs[i], 0);
}

/* User events, some of which are complete or have failed. */
static void make_user_events(struct builder *builder)
{
    cl_int code;

    for (unsigned i = 0; i < USER_EVENTS; i++) {
        cl_event event =
            builder->icd->table->clCreateUserEvent(builder->contexts[i % MAKE_CONTEXTS], &code);
        struct specimen *specimen = population_add(builder->population, specimen_event, event);

        population_retain(builder, specimen, (unsigned)population_number(builder, 0, 4) * 3);
        specimen_set(specimen, fact_queue_of, 0);
        if (event != NULL && i % 2 != 0 && ICD_HAS(builder->icd, 11, clSetEventCallback))
            builder->icd->table->clSetEventCallback(event, CL_COMPLETE, event_callback, NULL);
        if (i < MAKE_CONTEXTS) {
            builder->gates[i] = event;
            population_record_memobjs(specimen, NULL, 0);
        } else if (event != NULL) {
            builder->icd->table->clSetUserEventStatus(
                event, i == MAKE_CONTEXTS ? CL_COMPLETE
                                          : -1000 - (cl_int)population_number(builder, 0, 1000));
        }
    }
}

/* Whether a buffer is a sub-buffer or has some: in PoCL 7, commands use their own pieces of
 * these. */
static bool is_shared(const struct builder *builder, const struct specimen *specimen)
{
    for (unsigned i = 0; i < builder->shared_count; i++)
        if (builder->shared[i] == (cl_mem)specimen->handle)
            return true;
    return false;
}

/* A buffer for the commands of a queue, or NULL. */
static cl_mem buffer_for(struct builder *builder, unsigned queue)
{
    for (unsigned i = 0; i < builder->population->count; i++) {
        const struct specimen *specimen = &builder->population->specimens[i];

        if (specimen->kind == specimen_buffer && !is_shared(builder, specimen) &&
            queue_for(builder, (cl_mem)specimen->handle) == builder->queues[queue % MAKE_CONTEXTS])
            return (cl_mem)specimen->handle;
    }
    return NULL;
}

/* Enqueue a command that waits for the gate of its OpenCL context. */
static struct specimen *enqueue_gated(struct builder *builder, unsigned queue, unsigned index)
{
    static unsigned char bytes[64];
    const cl_icd_dispatch *table = builder->icd->table;
    const cl_event *gate = &builder->gates[queue % MAKE_CONTEXTS];
    cl_mem buffer = buffer_for(builder, queue);
    bool is_marker = index % 3 == 0 && ICD_HAS(builder->icd, 12, clEnqueueMarkerWithWaitList);
    struct specimen *specimen;
    cl_event event = NULL;

    if (buffer == NULL)
        return NULL;
    if (is_marker)
        table->clEnqueueMarkerWithWaitList(builder->queues[queue], 1, gate, &event);
    else if (index % 3 == 1)
        table->clEnqueueReadBuffer(builder->queues[queue], buffer, CL_FALSE, 0, 16, bytes, 1, gate,
                                   &event);
    else
        table->clEnqueueWriteBuffer(builder->queues[queue], buffer, CL_FALSE, 0, 16, bytes, 1, gate,
                                    &event);
    specimen = population_add(builder->population, specimen_event, event);
    population_record_memobjs(specimen, &buffer, is_marker ? 0 : 1);
    return specimen;
}

static void CL_CALLBACK svm_callback(cl_command_queue queue, cl_uint count, void *pointers[],
                                     void *user_data)
{
    (void)queue, (void)count, (void)pointers, (void)user_data;
}

/* Enqueue the free of INDEX + 1 new allocations, which waits as well. */
static cl_event enqueue_svm_free(struct builder *builder, unsigned queue, unsigned index)
{
    cl_context context = builder->contexts[queue % MAKE_CONTEXTS];
    void *user_data =
        (void *)(uintptr_t)population_number(builder, UINTPTR_MAX / 4, UINTPTR_MAX / 2);
    struct specimen *owner = population_find(builder->population, context);
    struct specimen *specimen;
    void *pointers[FREED_TOGETHER];
    cl_uint count = 1 + index % FREED_TOGETHER;
    cl_event event = NULL;

    for (cl_uint i = 0; i < count; i++) {
        size_t size = 64 * (size_t)population_number(builder, 1, 50);

        pointers[i] = builder->icd->table->clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
        if (pointers[i] == NULL || builder->svm_count == MAKE_SVM)
            return NULL;
        builder->svm[builder->svm_count].context = context;
        builder->svm[builder->svm_count++].pointer = pointers[i];
        specimen_list_add(owner, list_svm, (uintptr_t)pointers[i], size);
    }
    if (builder->icd->table->clEnqueueSVMFree(builder->queues[queue], count, pointers, svm_callback,
                                              user_data, 1, &builder->gates[queue % MAKE_CONTEXTS],
                                              &event) != CL_SUCCESS)
        return NULL;
    /* Some have a callback of the program, which the runtime may put before its own. */
    if (queue % 2 != 0 && ICD_HAS(builder->icd, 11, clSetEventCallback))
        builder->icd->table->clSetEventCallback(event, CL_COMPLETE, event_callback, NULL);
    specimen = population_add(builder->population, specimen_event, event);
    population_record_memobjs(specimen, NULL, 0);
    specimen_set(specimen, fact_svm_queue, (uintptr_t)builder->queues[queue]);
    specimen_set(specimen, fact_svm_pointer_count, count);
    specimen_set(specimen, fact_svm_pointers, (uintptr_t)pointers[0]);
    specimen_set(specimen, fact_svm_function, (uintptr_t)svm_callback);
    specimen_set(specimen, fact_svm_user_data, (uintptr_t)user_data);
    return event;
}

/* The event of a command that has run. */
static void make_finished_event(struct builder *builder, unsigned queue)
{
    static unsigned char bytes[16];
    cl_mem buffer = buffer_for(builder, queue);
    cl_event event = NULL;

    if (buffer != NULL)
        builder->icd->table->clEnqueueReadBuffer(builder->queues[queue], buffer, CL_TRUE, 0,
                                                 sizeof(bytes), bytes, 0, NULL, &event);
    population_add(builder->population, specimen_event, event);
}

/* Queues have pending commands, or only some that have run, or none. */
static void make_queue_events(struct builder *builder, unsigned queue)
{
    static const unsigned counts[MAKE_QUEUES] = {3, 0, 5, 1, 2, 0, 7, 1};
    struct specimen *owner = population_find(builder->population, builder->queues[queue]);
    cl_event event;

    specimen_list_begin(owner, list_events);
    if (queue % 4 == 0)
        make_finished_event(builder, queue);
    for (unsigned i = 0; i < counts[queue]; i++) {
        struct specimen *specimen = enqueue_gated(builder, queue, i + queue);

        if (specimen == NULL)
            continue;
        population_retain(builder, specimen, (unsigned)population_number(builder, 0, 4) * 2);
        specimen_list_add(owner, list_events, specimen->handle, 0);
    }
    if (counts[queue] == 0 || builder->svm_count == 0 ||
        !ICD_HAS(builder->icd, 20, clEnqueueSVMFree) || !protocol_step_begin("SVM frees"))
        return;
    event = enqueue_svm_free(builder, queue, queue);
    if (event != NULL)
        specimen_list_add(owner, list_events, (uintptr_t)event, 0);
}

/* Enqueue a command, in a queue of its own, that waits for COUNT user events: number FIRST and
 * those before it. */
static void enqueue_waiting(struct builder *builder, unsigned first, unsigned count)
{
    const cl_icd_dispatch *table = builder->icd->table;
    cl_event list[MAKE_WAITED_FOR];
    cl_int code;
    cl_command_queue queue =
        table->clCreateCommandQueue(builder->contexts[0], builder->icd->devices[0], 0, &code);
    struct specimen *owner = population_add(builder->population, specimen_queue, queue);
    struct specimen *specimen;
    cl_event event = NULL;

    if (owner == NULL)
        return;
    for (unsigned i = 0; i < count; i++)
        list[i] = builder->waited_for[(first + MAKE_WAITED_FOR - i) % MAKE_WAITED_FOR];
    table->clEnqueueMarkerWithWaitList(queue, count, list, &event);
    specimen = population_add(builder->population, specimen_event, event);
    if (specimen == NULL)
        return;
    specimen_list_begin(owner, list_events);
    specimen_list_add(owner, list_events, specimen->handle, 0);
    population_record_memobjs(specimen, NULL, 0);
    specimen_list_begin(specimen, list_wait_list);
    for (unsigned i = 0; i < count; i++)
        specimen_list_add(specimen, list_wait_list, (uintptr_t)list[i], 0);
}

/* Commands that wait for user events, each in a queue of its own: otherwise a runtime may also
 * make them wait for the previous command. */
static void make_wait_lists(struct builder *builder)
{
    static const unsigned counts[] = {3, 1, 5, 2, 6, 4, 1};
    const cl_icd_dispatch *table = builder->icd->table;
    cl_int code;

    if (!ICD_HAS(builder->icd, 12, clEnqueueMarkerWithWaitList) || builder->queues[0] == NULL)
        return;
    for (unsigned i = 0; i < MAKE_WAITED_FOR; i++) {
        builder->waited_for[i] = table->clCreateUserEvent(builder->contexts[0], &code);
        if (builder->waited_for[i] == NULL)
            return;
        specimen_list_begin(
            population_add(builder->population, specimen_event, builder->waited_for[i]),
            list_wait_list);
    }
    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        enqueue_waiting(builder, i % MAKE_WAITED_FOR, counts[i]);
}

void population_make_events(struct builder *builder)
{
    if (!ICD_HAS(builder->icd, 11, clCreateUserEvent) ||
        !ICD_HAS(builder->icd, 10, clEnqueueReadBuffer) ||
        !ICD_HAS(builder->icd, 10, clEnqueueWriteBuffer))
        return;
    make_user_events(builder);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (builder->queues[i] != NULL && builder->gates[i % MAKE_CONTEXTS] != NULL)
            make_queue_events(builder, i);
    if (protocol_step_begin("wait lists"))
        make_wait_lists(builder);
}
