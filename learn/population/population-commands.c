/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that commands produce: events, mapped memory, shared virtual memory and its frees. */
#include <learn/population/population.h>

#include <string.h>

#define USER_EVENTS 8
#define FREED_TOGETHER 3
#define ASKED_SIZE 4096

/* Whether the runtime reports that none of its devices has shared virtual memory, and its
 * function returns none.  For devices that do not exist, it may report anything. */
static bool lacks_svm(const struct maker *maker)
{
    const struct icd *icd = maker->icd;
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
    pointer = icd->table->clSVMAlloc(maker->contexts[0], CL_MEM_READ_WRITE, ASKED_SIZE, 0);
    if (pointer != NULL && ICD_HAS(icd, 20, clSVMFree))
        icd->table->clSVMFree(maker->contexts[0], pointer);
    return pointer == NULL;
}

void maker_make_svm(struct maker *maker)
{
    /* Also more than a tree node holds. */
    static const unsigned counts[MAKE_CONTEXTS] = {3, 0, 5, 14};
    cl_device_svm_capabilities capabilities = 0;

    maker->is_absent[list_svm] = lacks_svm(maker);
    if (!ICD_HAS(maker->icd, 20, clSVMAlloc) || !ICD_HAS(maker->icd, 20, clSVMFree))
        return;
    maker->icd->table->clGetDeviceInfo(maker->icd->devices[0], CL_DEVICE_SVM_CAPABILITIES,
                                       sizeof(capabilities), &capabilities, NULL);
    for (unsigned i = 0; i < MAKE_CONTEXTS && capabilities != 0; i++) {
        struct subject *subject = population_find(maker->population, maker->contexts[i]);

        subject_list_begin(subject, list_svm);
        for (unsigned j = 0; j < counts[i]; j++) {
            size_t size = 16 * (size_t)maker_number(maker, 10, 500);
            void *pointer =
                maker->icd->table->clSVMAlloc(maker->contexts[i], CL_MEM_READ_WRITE, size, 0);

            if (pointer == NULL)
                continue;
            subject_list_add(subject, list_svm, (uintptr_t)pointer, size);
            maker->svm[maker->svm_count].context = maker->contexts[i];
            maker->svm[maker->svm_count++].pointer = pointer;
        }
        if (subject->lists[list_svm].count == 0 && counts[i] != 0)
            subject->lists[list_svm].is_known = false;
    }
}

/* A queue in the OpenCL context of a memory object, or NULL. */
static cl_command_queue queue_for(struct maker *maker, cl_mem memobj)
{
    cl_context context = NULL;

    maker->icd->table->clGetMemObjectInfo(memobj, CL_MEM_CONTEXT, sizeof(context), &context, NULL);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (maker->contexts[i % MAKE_CONTEXTS] == context)
            return maker->queues[i];
    return NULL;
}

/* Map a part of a memory object; for buffers, not from the beginning. */
static void *map_memobj(struct maker *maker, struct subject *subject)
{
    static const size_t origin[3] = {1, 1, 0};
    static const size_t region[3] = {2, 1, 1};
    const cl_icd_dispatch *table = maker->icd->table;
    cl_mem memobj = (cl_mem)subject->handle;
    cl_command_queue queue = queue_for(maker, memobj);
    size_t pitches[2];
    void *pointer;
    cl_int code;

    if (queue == NULL || maker->map_count == MAKE_MAPS)
        return NULL;
    if (subject->kind == subject_buffer)
        pointer = table->clEnqueueMapBuffer(queue, memobj, CL_TRUE, CL_MAP_READ,
                                            8 * (size_t)maker_number(maker, 1, 60), 64, 0, NULL,
                                            NULL, &code);
    else
        pointer = table->clEnqueueMapImage(queue, memobj, CL_TRUE, CL_MAP_READ, origin, region,
                                           &pitches[0], &pitches[1], 0, NULL, NULL, &code);
    if (pointer != NULL) {
        maker->maps[maker->map_count].queue = queue;
        maker->maps[maker->map_count].memobj = memobj;
        maker->maps[maker->map_count++].pointer = pointer;
    }
    return pointer;
}

/* Map the first LIMIT objects of a kind, each a different number of times. */
static void map_kind(struct maker *maker, enum subject_kind kind, unsigned limit)
{
    static const unsigned counts[] = {1, 0, 2, 1, 3, 1, 0, 1};
    unsigned number = 0;

    for (unsigned i = 0; i < maker->population->count && number < limit; i++) {
        struct subject *subject = &maker->population->subjects[i];
        void *pointer = NULL;
        unsigned wanted;

        if (subject->kind != kind)
            continue;
        wanted = counts[number++ % 8];
        for (unsigned j = 0; j < wanted; j++)
            pointer = map_memobj(maker, subject);
        if (wanted == 1 && pointer != NULL)
            subject_set(subject, fact_mapped_pointer, (uintptr_t)pointer);
    }
}

void maker_make_maps(struct maker *maker)
{
    if (ICD_HAS(maker->icd, 10, clEnqueueMapBuffer))
        map_kind(maker, subject_buffer, 14);
    if (ICD_HAS(maker->icd, 10, clEnqueueMapImage))
        map_kind(maker, subject_image, 12);
}

static void CL_CALLBACK event_callback(cl_event event, cl_int status, void *user_data)
{
    (void)event, (void)status, (void)user_data;
}

void maker_keep_memobjs(struct subject *event, const cl_mem *memobjs, unsigned count)
{
    subject_list_begin(event, list_memobjs);
    for (unsigned i = 0; i < count; i++)
        subject_list_add(event, list_memobjs, (uintptr_t)memobjs[i], 0);
}

/* User events, some of which are complete or have failed. */
static void make_user_events(struct maker *maker)
{
    cl_int code;

    for (unsigned i = 0; i < USER_EVENTS; i++) {
        cl_event event =
            maker->icd->table->clCreateUserEvent(maker->contexts[i % MAKE_CONTEXTS], &code);
        struct subject *subject = population_add(maker->population, subject_event, event);

        maker_retain(maker, subject, (unsigned)maker_number(maker, 0, 4) * 3);
        subject_set(subject, fact_queue_of, 0);
        if (event != NULL && i % 2 != 0 && ICD_HAS(maker->icd, 11, clSetEventCallback))
            maker->icd->table->clSetEventCallback(event, CL_COMPLETE, event_callback, NULL);
        if (i < MAKE_CONTEXTS) {
            maker->gates[i] = event;
            maker_keep_memobjs(subject, NULL, 0);
        } else if (event != NULL) {
            maker->icd->table->clSetUserEventStatus(
                event,
                i == MAKE_CONTEXTS ? CL_COMPLETE : -1000 - (cl_int)maker_number(maker, 0, 1000));
        }
    }
}

/* Whether a buffer is a sub-buffer or has some: in PoCL 7, commands use their own pieces of
 * these. */
static bool is_shared(const struct maker *maker, const struct subject *subject)
{
    for (unsigned i = 0; i < maker->shared_count; i++)
        if (maker->shared[i] == (cl_mem)subject->handle)
            return true;
    return false;
}

/* A buffer for the commands of a queue, or NULL. */
static cl_mem buffer_for(struct maker *maker, unsigned queue)
{
    for (unsigned i = 0; i < maker->population->count; i++) {
        const struct subject *subject = &maker->population->subjects[i];

        if (subject->kind == subject_buffer && !is_shared(maker, subject) &&
            queue_for(maker, (cl_mem)subject->handle) == maker->queues[queue % MAKE_CONTEXTS])
            return (cl_mem)subject->handle;
    }
    return NULL;
}

/* Enqueue a command that waits for the gate of its OpenCL context. */
static struct subject *enqueue_gated(struct maker *maker, unsigned queue, unsigned index)
{
    static unsigned char bytes[64];
    const cl_icd_dispatch *table = maker->icd->table;
    const cl_event *gate = &maker->gates[queue % MAKE_CONTEXTS];
    cl_mem buffer = buffer_for(maker, queue);
    bool is_marker = index % 3 == 0 && ICD_HAS(maker->icd, 12, clEnqueueMarkerWithWaitList);
    struct subject *subject;
    cl_event event = NULL;

    if (buffer == NULL)
        return NULL;
    if (is_marker)
        table->clEnqueueMarkerWithWaitList(maker->queues[queue], 1, gate, &event);
    else if (index % 3 == 1)
        table->clEnqueueReadBuffer(maker->queues[queue], buffer, CL_FALSE, 0, 16, bytes, 1, gate,
                                   &event);
    else
        table->clEnqueueWriteBuffer(maker->queues[queue], buffer, CL_FALSE, 0, 16, bytes, 1, gate,
                                    &event);
    subject = population_add(maker->population, subject_event, event);
    maker_keep_memobjs(subject, &buffer, is_marker ? 0 : 1);
    return subject;
}

static void CL_CALLBACK svm_callback(cl_command_queue queue, cl_uint count, void *pointers[],
                                     void *user_data)
{
    (void)queue, (void)count, (void)pointers, (void)user_data;
}

/* Enqueue the free of INDEX + 1 new allocations, which waits as well. */
static cl_event enqueue_svm_free(struct maker *maker, unsigned queue, unsigned index)
{
    cl_context context = maker->contexts[queue % MAKE_CONTEXTS];
    void *user_data = (void *)(uintptr_t)maker_number(maker, UINTPTR_MAX / 4, UINTPTR_MAX / 2);
    struct subject *owner = population_find(maker->population, context);
    struct subject *subject;
    void *pointers[FREED_TOGETHER];
    cl_uint count = 1 + index % FREED_TOGETHER;
    cl_event event = NULL;

    for (cl_uint i = 0; i < count; i++) {
        size_t size = 64 * (size_t)maker_number(maker, 1, 50);

        pointers[i] = maker->icd->table->clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
        if (pointers[i] == NULL || maker->svm_count == MAKE_SVM)
            return NULL;
        maker->svm[maker->svm_count].context = context;
        maker->svm[maker->svm_count++].pointer = pointers[i];
        subject_list_add(owner, list_svm, (uintptr_t)pointers[i], size);
    }
    if (maker->icd->table->clEnqueueSVMFree(maker->queues[queue], count, pointers, svm_callback,
                                            user_data, 1, &maker->gates[queue % MAKE_CONTEXTS],
                                            &event) != CL_SUCCESS)
        return NULL;
    /* Some have a callback of the program, which the runtime may put before its own. */
    if (queue % 2 != 0 && ICD_HAS(maker->icd, 11, clSetEventCallback))
        maker->icd->table->clSetEventCallback(event, CL_COMPLETE, event_callback, NULL);
    subject = population_add(maker->population, subject_event, event);
    maker_keep_memobjs(subject, NULL, 0);
    subject_set(subject, fact_svm_queue, (uintptr_t)maker->queues[queue]);
    subject_set(subject, fact_svm_pointer_count, count);
    subject_set(subject, fact_svm_pointers, (uintptr_t)pointers[0]);
    subject_set(subject, fact_svm_function, (uintptr_t)svm_callback);
    subject_set(subject, fact_svm_user_data, (uintptr_t)user_data);
    return event;
}

/* The event of a command that has run. */
static void make_finished_event(struct maker *maker, unsigned queue)
{
    static unsigned char bytes[16];
    cl_mem buffer = buffer_for(maker, queue);
    cl_event event = NULL;

    if (buffer != NULL)
        maker->icd->table->clEnqueueReadBuffer(maker->queues[queue], buffer, CL_TRUE, 0,
                                               sizeof(bytes), bytes, 0, NULL, &event);
    population_add(maker->population, subject_event, event);
}

/* Queues have pending commands, or only some that have run, or none. */
static void make_queue_events(struct maker *maker, unsigned queue)
{
    static const unsigned counts[MAKE_QUEUES] = {3, 0, 5, 1, 2, 0, 7, 1};
    struct subject *owner = population_find(maker->population, maker->queues[queue]);
    cl_event event;

    subject_list_begin(owner, list_events);
    if (queue % 4 == 0)
        make_finished_event(maker, queue);
    for (unsigned i = 0; i < counts[queue]; i++) {
        struct subject *subject = enqueue_gated(maker, queue, i + queue);

        if (subject == NULL)
            continue;
        maker_retain(maker, subject, (unsigned)maker_number(maker, 0, 4) * 2);
        subject_list_add(owner, list_events, subject->handle, 0);
    }
    if (counts[queue] == 0 || maker->svm_count == 0 || !ICD_HAS(maker->icd, 20, clEnqueueSVMFree) ||
        !protocol_step_begin("SVM frees"))
        return;
    event = enqueue_svm_free(maker, queue, queue);
    if (event != NULL)
        subject_list_add(owner, list_events, (uintptr_t)event, 0);
}

/* Enqueue a command, in a queue of its own, that waits for COUNT user events: number FIRST and
 * those before it. */
static void enqueue_waiting(struct maker *maker, unsigned first, unsigned count)
{
    const cl_icd_dispatch *table = maker->icd->table;
    cl_event list[MAKE_WAITED_FOR];
    cl_int code;
    cl_command_queue queue =
        table->clCreateCommandQueue(maker->contexts[0], maker->icd->devices[0], 0, &code);
    struct subject *owner = population_add(maker->population, subject_queue, queue);
    struct subject *subject;
    cl_event event = NULL;

    if (owner == NULL)
        return;
    for (unsigned i = 0; i < count; i++)
        list[i] = maker->waited_for[(first + MAKE_WAITED_FOR - i) % MAKE_WAITED_FOR];
    table->clEnqueueMarkerWithWaitList(queue, count, list, &event);
    subject = population_add(maker->population, subject_event, event);
    if (subject == NULL)
        return;
    subject_list_begin(owner, list_events);
    subject_list_add(owner, list_events, subject->handle, 0);
    maker_keep_memobjs(subject, NULL, 0);
    subject_list_begin(subject, list_wait_list);
    for (unsigned i = 0; i < count; i++)
        subject_list_add(subject, list_wait_list, (uintptr_t)list[i], 0);
}

/* Commands that wait for user events, each in a queue of its own: otherwise a runtime may also
 * make them wait for the previous command. */
static void make_wait_lists(struct maker *maker)
{
    static const unsigned counts[] = {3, 1, 5, 2, 6, 4, 1};
    const cl_icd_dispatch *table = maker->icd->table;
    cl_int code;

    if (!ICD_HAS(maker->icd, 12, clEnqueueMarkerWithWaitList) || maker->queues[0] == NULL)
        return;
    for (unsigned i = 0; i < MAKE_WAITED_FOR; i++) {
        maker->waited_for[i] = table->clCreateUserEvent(maker->contexts[0], &code);
        if (maker->waited_for[i] == NULL)
            return;
        subject_list_begin(population_add(maker->population, subject_event, maker->waited_for[i]),
                           list_wait_list);
    }
    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        enqueue_waiting(maker, i % MAKE_WAITED_FOR, counts[i]);
}

void maker_make_events(struct maker *maker)
{
    if (!ICD_HAS(maker->icd, 11, clCreateUserEvent) ||
        !ICD_HAS(maker->icd, 10, clEnqueueReadBuffer) ||
        !ICD_HAS(maker->icd, 10, clEnqueueWriteBuffer))
        return;
    make_user_events(maker);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (maker->queues[i] != NULL && maker->gates[i % MAKE_CONTEXTS] != NULL)
            make_queue_events(maker, i);
    if (protocol_step_begin("wait lists"))
        make_wait_lists(maker);
}
