/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See population.h: code shared by all kinds. */
#include <learn/population/population.h>

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

void (*population_on_destructor)(uintptr_t handle, uintptr_t caller);

void population_begin(struct builder *builder, const struct icd *icd, struct population *population,
                      uint64_t seed)
{
    memset(builder, 0, sizeof(*builder));
    memset(population, 0, sizeof(*population));
    builder->icd = icd;
    builder->population = population;
    builder->seed = seed;
    population_add(population, specimen_platform, icd->platform);
    for (cl_uint i = 0; i < icd->device_count; i++)
        population_add(population, specimen_device, icd->devices[i]);
}

uint64_t population_number(struct builder *builder, uint64_t least, uint64_t most)
{
    uint64_t seed = builder->seed;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    builder->seed = seed;
    return least + (seed >> 11) % (most - least + 1);
}

unsigned population_callback_count(unsigned index)
{
    static const unsigned counts[] = {3, 0, 5, 1, 40, 2, 7, 0, 4};

    return counts[index % (sizeof(counts) / sizeof(counts[0]))];
}

/* Whether the runtime calls destructor callbacks on a thread of its own, after the last release. */
static atomic_bool calls_later;
static atomic_uint called[2]; /* callbacks so far; the first and second function */

bool population_calls_later(void)
{
    return atomic_load(&calls_later);
}

/* The return address of the current function. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

unsigned population_called_count(void)
{
    return atomic_load(&called[0]) + atomic_load(&called[1]);
}

static void watch_destructor(const void *handle, bool is_second, uintptr_t caller)
{
    void (*watch)(uintptr_t handle, uintptr_t caller) = population_on_destructor;

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
static cl_int add_callback(struct builder *builder, struct specimen *specimen, bool is_second,
                           uintptr_t user_data, uintptr_t *function)
{
    const cl_icd_dispatch *table = builder->icd->table;

    if (specimen->kind == specimen_context) {
        void(CL_CALLBACK * callback)(cl_context, void *) =
            is_second ? second_context_callback : first_context_callback;
        cl_int(CL_API_CALL * set)(cl_context, void(CL_CALLBACK *)(cl_context, void *), void *);

        *function = (uintptr_t)callback;
        memcpy(&set, &table->clSetContextDestructorCallback, sizeof(set));
        return set((cl_context)specimen->handle, callback, (void *)user_data);
    }
    void(CL_CALLBACK * callback)(cl_mem, void *) =
        is_second ? second_memobj_callback : first_memobj_callback;

    *function = (uintptr_t)callback;
    return table->clSetMemObjectDestructorCallback((cl_mem)specimen->handle, callback,
                                                   (void *)user_data);
}

static bool has_callbacks(const struct builder *builder, const struct specimen *specimen)
{
    if (specimen->kind == specimen_context)
        return ICD_HAS(builder->icd, 30, clSetContextDestructorCallback);
    return ICD_HAS(builder->icd, 11, clSetMemObjectDestructorCallback);
}

void population_add_callbacks(struct builder *builder, struct specimen *specimen, unsigned count)
{
    uintptr_t function;

    if (specimen == NULL || !has_callbacks(builder, specimen))
        return;
    specimen_list_begin(specimen, list_destructors);
    for (unsigned i = 0; i < count; i++) {
        uintptr_t user_data =
            (uintptr_t)population_number(builder, UINTPTR_MAX / 4, UINTPTR_MAX / 2);

        if (add_callback(builder, specimen, i % 3 == 1, user_data, &function) == CL_SUCCESS)
            specimen_list_add(specimen, list_destructors, function, user_data);
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

static cl_int handle_retain(const cl_icd_dispatch *table, const struct specimen *specimen)
{
    void *handle = (void *)specimen->handle;

#define RETAIN(kind, name)                                                                         \
    case specimen_##kind:                                                                          \
        return table->clRetain##name(handle);
    switch (specimen->kind) {
        EACH_COUNTED(RETAIN)
    default:
        return CL_INVALID_VALUE;
    }
}

void population_retain(struct builder *builder, struct specimen *specimen, unsigned count)
{
    for (; specimen != NULL && count > 0; count--)
        specimen->owned += handle_retain(builder->icd->table, specimen) == CL_SUCCESS;
}

void population_release_specimen(struct builder *builder, const struct specimen *specimen)
{
    const cl_icd_dispatch *table = builder->icd->table;
    void *handle = (void *)specimen->handle;

#define RELEASE(kind, name)                                                                        \
    case specimen_##kind:                                                                          \
        table->clRelease##name(handle);                                                            \
        break;
    switch (specimen->kind) {
        EACH_COUNTED(RELEASE)
    default:
        break;
    }
}
