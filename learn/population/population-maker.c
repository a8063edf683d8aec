/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See population.h: code shared by all kinds. */
#include <learn/population/population.h>

#include <stdatomic.h>
#include <string.h>
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
static atomic_uint called[2]; /* callbacks so far; the first and second function */

bool maker_calls_later(void)
{
    return atomic_load(&calls_later);
}

/* The return address of the current function. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

unsigned maker_called_count(void)
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

/* Register one callback, with the first or second function; *FUNCTION receives its address. */
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

/* The reference-counted kinds, and their names in functions. */
#define EACH_COUNTED(DO)                                                                           \
    DO(context, Context)                                                                           \
    DO(queue, CommandQueue)                                                                        \
    DO(buffer, MemObject)                                                                          \
    DO(image, MemObject)                                                                           \
    DO(pipe, MemObject)                                                                            \
    DO(event, Event)                                                                               \
    DO(program, Program)                                                                           \
    DO(kernel, Kernel)                                                                             \
    DO(sampler, Sampler)

static cl_int handle_retain(const cl_icd_dispatch *table, const struct subject *subject)
{
    void *handle = (void *)subject->handle;

#define RETAIN(kind, name)                                                                         \
    case subject_##kind:                                                                           \
        return table->clRetain##name(handle);
    switch (subject->kind) {
        EACH_COUNTED(RETAIN)
    default:
        return CL_INVALID_VALUE;
    }
}

void maker_retain(struct maker *maker, struct subject *subject, unsigned count)
{
    for (; subject != NULL && count > 0; count--)
        subject->owned += handle_retain(maker->icd->table, subject) == CL_SUCCESS;
}

void maker_release_subject(struct maker *maker, const struct subject *subject)
{
    const cl_icd_dispatch *table = maker->icd->table;
    void *handle = (void *)subject->handle;

#define RELEASE(kind, name)                                                                        \
    case subject_##kind:                                                                           \
        table->clRelease##name(handle);                                                            \
        break;
    switch (subject->kind) {
        EACH_COUNTED(RELEASE)
    default:
        break;
    }
}
