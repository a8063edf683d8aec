/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See population-maker.h: what is common to all kinds. */
#include <learn/population-maker.h>

#include <learn/probe-protocol.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void (*maker_on_destructor)(uintptr_t handle, uintptr_t caller);

void maker_begin(struct maker *maker, const struct icd *icd, struct population *population,
                 uint64_t seed)
{
    memset(maker, 0, sizeof(*maker));
    memset(population, 0, sizeof(*population));
    maker->icd = icd;
    maker->population = population;
    maker->seed = seed;
    population_add(population, subject_platform, icd->platform);
    for (cl_uint i = 0; i < icd->device_count; i++)
        population_add(population, subject_device, icd->devices[i]);
}

uint64_t maker_number(struct maker *maker, uint64_t least, uint64_t most)
{
    uint64_t seed = maker->seed;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    maker->seed = seed;
    return least + (seed >> 11) % (most - least + 1);
}

unsigned maker_callback_count(unsigned index)
{
    static const unsigned counts[] = {3, 0, 5, 1, 40, 2, 7, 0, 4};

    return counts[index % (sizeof(counts) / sizeof(counts[0]))];
}

/* Whether the runtime calls destructor callbacks on a thread of its own, after the last release. */
static atomic_bool calls_later;
static atomic_uint called[2]; /* callbacks so far, the first and second of a kind */

bool maker_calls_later(void)
{
    return atomic_load(&calls_later);
}

/* The address to which the function that this is in returns. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

static unsigned count_called(void)
{
    return atomic_load(&called[0]) + atomic_load(&called[1]);
}

static void watch_destructor(const void *handle, bool is_second, uintptr_t caller)
{
    void (*watch)(uintptr_t handle, uintptr_t caller) = maker_on_destructor;

    if (gettid() != getpid())
        atomic_store(&calls_later, true);
    atomic_fetch_add(&called[is_second], 1);
    if (watch != NULL)
        watch((uintptr_t)handle, caller);
}

static void CL_CALLBACK first_memobj_callback(cl_mem memobj, void *user_data)
{
    (void)user_data;
    watch_destructor(memobj, false, CALLER);
}

static void CL_CALLBACK second_memobj_callback(cl_mem memobj, void *user_data)
{
    (void)user_data;
    watch_destructor(memobj, true, CALLER);
}

static void CL_CALLBACK first_context_callback(cl_context context, void *user_data)
{
    (void)user_data;
    watch_destructor(context, false, CALLER);
}

static void CL_CALLBACK second_context_callback(cl_context context, void *user_data)
{
    (void)user_data;
    watch_destructor(context, true, CALLER);
}

/* Register one callback, the first or second of its kind; *FUNCTION gets its address. */
static cl_int add_callback(struct maker *maker, struct subject *subject, bool is_second,
                           uintptr_t user_data, uintptr_t *function)
{
    const cl_icd_dispatch *table = maker->icd->table;

    if (subject->kind == subject_context) {
        void(CL_CALLBACK * callback)(cl_context, void *) =
            is_second ? second_context_callback : first_context_callback;
        cl_int(CL_API_CALL * set)(cl_context, void(CL_CALLBACK *)(cl_context, void *), void *);

        *function = (uintptr_t)callback;
        memcpy(&set, &table->clSetContextDestructorCallback, sizeof(set));
        return set((cl_context)subject->handle, callback, (void *)user_data);
    }
    void(CL_CALLBACK * callback)(cl_mem, void *) =
        is_second ? second_memobj_callback : first_memobj_callback;

    *function = (uintptr_t)callback;
    return table->clSetMemObjectDestructorCallback((cl_mem)subject->handle, callback,
                                                   (void *)user_data);
}

static bool has_callbacks(const struct maker *maker, const struct subject *subject)
{
    if (subject->kind == subject_context)
        return ICD_HAS(maker->icd, 30, clSetContextDestructorCallback);
    return ICD_HAS(maker->icd, 11, clSetMemObjectDestructorCallback);
}

void maker_add_callbacks(struct maker *maker, struct subject *subject, unsigned count)
{
    uintptr_t function;

    if (subject == NULL || !has_callbacks(maker, subject))
        return;
    subject_list_begin(subject, list_destructors);
    for (unsigned i = 0; i < count; i++) {
        uintptr_t user_data = (uintptr_t)maker_number(maker, UINTPTR_MAX / 4, UINTPTR_MAX / 2);

        if (add_callback(maker, subject, i % 3 == 1, user_data, &function) == CL_SUCCESS)
            subject_list_add(subject, list_destructors, function, user_data);
    }
}

void maker_retain(struct maker *maker, struct subject *subject, unsigned count)
{
    const cl_icd_dispatch *table = maker->icd->table;

    for (; subject != NULL && count > 0; count--) {
        void *handle = (void *)subject->handle;
        cl_int code = CL_INVALID_VALUE;

        switch (subject->kind) {
        case subject_context:
            code = table->clRetainContext(handle);
            break;
        case subject_queue:
            code = table->clRetainCommandQueue(handle);
            break;
        case subject_buffer:
        case subject_image:
        case subject_pipe:
            code = table->clRetainMemObject(handle);
            break;
        case subject_event:
            code = table->clRetainEvent(handle);
            break;
        case subject_program:
            code = table->clRetainProgram(handle);
            break;
        case subject_kernel:
            code = table->clRetainKernel(handle);
            break;
        case subject_sampler:
            code = table->clRetainSampler(handle);
            break;
        default:
            break;
        }
        subject->owned += code == CL_SUCCESS;
    }
}

void maker_release_subject(struct maker *maker, const struct subject *subject)
{
    const cl_icd_dispatch *table = maker->icd->table;
    void *handle = (void *)subject->handle;

    switch (subject->kind) {
    case subject_context:
        table->clReleaseContext(handle);
        break;
    case subject_queue:
        table->clReleaseCommandQueue(handle);
        break;
    case subject_buffer:
    case subject_image:
    case subject_pipe:
        table->clReleaseMemObject(handle);
        break;
    case subject_event:
        table->clReleaseEvent(handle);
        break;
    case subject_program:
        table->clReleaseProgram(handle);
        break;
    case subject_kernel:
        table->clReleaseKernel(handle);
        break;
    case subject_sampler:
        table->clReleaseSampler(handle);
        break;
    default:
        break;
    }
}

const char *maker_make(struct maker *maker)
{
    static void (*const makers[])(struct maker * maker) = {
        maker_make_queues,   maker_make_buffers,  maker_make_images,        maker_make_pipes,
        maker_make_programs, maker_make_samplers, maker_make_svm,           maker_make_maps,
        maker_make_events,   maker_make_uses,     maker_make_device_copies,
    };
    static const char *const names[] = {
        "queues", "buffers", "images", "pipes",    "programs",      "samplers",
        "SVM",    "maps",    "events", "commands", "device copies",
    };

    protocol_step_begin("contexts");
    if (!maker_make_contexts(maker))
        return "It makes no context.";
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        if (protocol_step_begin(names[i]))
            makers[i](maker);
    return NULL;
}

static cl_uint count_references(const struct maker *maker, cl_context context)
{
    cl_uint count = 0;

    maker->icd->table->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count,
                                        NULL);
    return count;
}

/* Free the shared virtual memory, and see what goes with each allocation. */
static void free_svm(struct maker *maker)
{
    for (unsigned i = 0; i < maker->svm_count; i++) {
        cl_context context = maker->svm[i].context;
        cl_uint before = count_references(maker, context);
        cl_uint held;

        maker->icd->table->clSVMFree(context, maker->svm[i].pointer);
        held = before - count_references(maker, context);
        if (held < MAKE_HELD)
            maker->svm_held[held]++;
    }
}

/* Let all commands run to their end. */
static void finish_commands(struct maker *maker)
{
    const cl_icd_dispatch *table = maker->icd->table;

    for (unsigned i = 0; i < MAKE_CONTEXTS; i++)
        if (maker->gates[i] != NULL)
            table->clSetUserEventStatus(maker->gates[i], CL_COMPLETE);
    for (unsigned i = 0; i < MAKE_WAITED_FOR; i++)
        if (maker->waited_for[i] != NULL)
            table->clSetUserEventStatus(maker->waited_for[i], CL_COMPLETE);
    for (unsigned i = 0; i < maker->map_count; i++)
        table->clEnqueueUnmapMemObject(maker->maps[i].queue, maker->maps[i].memobj,
                                       maker->maps[i].pointer, 0, NULL, NULL);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (maker->queues[i] != NULL)
            table->clFinish(maker->queues[i]);
    free_svm(maker);
}

#define END_POLLS 200
#define END_INTERVAL 1000000 /* ns */

/* Wait for the end of SUBJECT, which was released, when its callbacks come later: it gives back
 * what it holds just after it is gone. Something else may still hold it. */
static void await_end(const struct subject *subject)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    bool was_gone = !atomic_load(&calls_later) || subject->lists[list_destructors].count == 0;

    for (unsigned i = 0; i < END_POLLS && !was_gone; i++) {
        was_gone = subject_is_gone(subject);
        nanosleep(&interval, NULL);
    }
}

/* Wait for the end of all released objects; the runtime had called CALLED_BEFORE callbacks before.
 * An object that ends later would appear among those of the next population. */
static void await_all_ends(const struct population *population, unsigned called_before)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    unsigned expected = called_before;

    for (unsigned i = 0; i < population->count; i++)
        if (population->subjects[i].kind != subject_platform &&
            population->subjects[i].kind != subject_device)
            expected += population->subjects[i].lists[list_destructors].count;
    for (unsigned i = 0; i < END_POLLS && count_called() < expected; i++)
        nanosleep(&interval, NULL);
    for (unsigned i = 0; i < population->count; i++)
        await_end(&population->subjects[i]);
}

void maker_release(struct maker *maker,
                   void (*watch)(struct maker *maker, struct subject *subject, bool is_after))
{
    unsigned called_before = count_called();

    maker_release_device_copies(maker);
    protocol_step_begin("release");
    finish_commands(maker);
    for (unsigned i = maker->population->count; i-- > 0;) {
        struct subject *subject = &maker->population->subjects[i];

        if (subject->kind == subject_platform || subject->kind == subject_device ||
            subject->owned == 0)
            continue;
        for (; subject->owned > 1; subject->owned--)
            maker_release_subject(maker, subject);
        if (watch != NULL)
            watch(maker, subject, false);
        maker_release_subject(maker, subject);
        if (watch == NULL)
            continue;
        await_end(subject);
        watch(maker, subject, true);
    }
    await_all_ends(maker->population, called_before);
}
