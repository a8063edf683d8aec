/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"
#include "objects/kinds.h"

#include <string.h>

#define ROOM ((uint32_t)OMPD_CL_REGISTRY_ARGUMENTS)

/* Kernels that are observed at once, and threads that enqueue one. */
#define SHARING_LIMIT 128
#define ENQUEUER_LIMIT 16

/* An argument of a shared kernel. Threads are named by the serials of their records. */
struct shared_argument {
    uint32_t setter; /* thread that set it last, 0: before the kernel was shared */
    uint32_t round;  /* of the kernel, in which that was */
    /* A thread whose value was replaced before any command used it, and that value; 0: none. */
    uint32_t loser;
    uint32_t form;
    uint64_t value;
    /* The thread that replaced it, and its call. */
    uint32_t winner;
    uint32_t lwp;
    struct recorder_site site;
};

/* What threads do with a kernel that several of them use. */
struct sharing {
    uint64_t kernel;  /* cl handle; 0: not in use */
    uint32_t is_busy; /* a thread is in this record */
    uint32_t round;   /* the number of commands that have run the kernel, from 1 */
    uint32_t enqueuer_count;
    uint32_t enqueuers[ENQUEUER_LIMIT]; /* threads that have enqueued it */
    struct shared_argument arguments[ROOM];
};

static struct sharing sharings[SHARING_LIMIT];

/* ---- One kernel ------------------------------------------------------------------------------ */

/* Enter SHARING. Calls on one kernel must not overlap, so a correct program always can. */
static bool sharing_enter(struct sharing *sharing)
{
    return !__atomic_exchange_n(&sharing->is_busy, 1, __ATOMIC_ACQUIRE);
}

static void sharing_leave(struct sharing *sharing)
{
    __atomic_store_n(&sharing->is_busy, 0, __ATOMIC_RELEASE);
}

static bool sharing_has_enqueuer(const struct sharing *sharing, uint32_t thread)
{
    for (uint32_t i = 0; i < sharing->enqueuer_count; i++) {
        if (sharing->enqueuers[i] == thread) {
            return true;
        }
    }
    return false;
}

static void sharing_add_enqueuer(struct sharing *sharing, uint32_t thread)
{
    if (thread && sharing->enqueuer_count < ENQUEUER_LIMIT &&
        !sharing_has_enqueuer(sharing, thread)) {
        sharing->enqueuers[sharing->enqueuer_count++] = thread;
    }
}

/* Begin to observe KERNEL, which a second thread uses. What was set before counts as used. */
static void sharing_begin(const struct recorder_entry *kernel)
{
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(kernel);
    uint32_t owner = __atomic_exchange_n(&record->user, RECORDER_SHARED, __ATOMIC_RELAXED);
    if (owner == RECORDER_SHARED) {
        return;
    }
    for (uint32_t i = 0; i < SHARING_LIMIT; i++) {
        struct sharing *sharing = &sharings[i];
        uint64_t none = 0;
        if (__atomic_compare_exchange_n(&sharing->kernel, &none, kernel->object->handle, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            memset(sharing->arguments, 0, sizeof(sharing->arguments));
            sharing->is_busy = 0;
            sharing->round = 1;
            sharing->enqueuer_count = 0;
            sharing_add_enqueuer(sharing, record->enqueuer);
            __atomic_store_n(&record->sharing, i + 1, __ATOMIC_RELEASE);
            return;
        }
    }
}

/* The record of KERNEL, entered; NULL if it is not observed. */
static struct sharing *sharing_of(const struct recorder_entry *kernel)
{
    uint32_t place = __atomic_load_n(&recorder_kernel_record(kernel)->sharing, __ATOMIC_ACQUIRE);
    return place && sharing_enter(&sharings[place - 1]) ? &sharings[place - 1] : NULL;
}

bool recorder_kernel_is_shared_now(const struct recorder_entry *kernel)
{
    uint32_t nobody = 0;
    if (__atomic_compare_exchange_n(&recorder_kernel_record(kernel)->user, &nobody,
                                    recorder_thread_number(kernel->heap), false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
        return false;
    }
    sharing_begin(kernel);
    return true;
}

void recorder_kernel_sharing_end(struct ompd_cl_registry_kernel_record *kernel)
{
    if (RECORDER_UNLIKELY(kernel->sharing)) {
        __atomic_store_n(&sharings[kernel->sharing - 1].kernel, 0, __ATOMIC_RELEASE);
        kernel->sharing = 0;
    }
}

/* ---- Setting and enqueuing ------------------------------------------------------------------- */

struct recorder_argument_now recorder_argument_now(const struct ompd_cl_registry_arguments *all,
                                                   uint32_t index)
{
    struct recorder_argument_now now = {0, 0};
    if (index < ROOM && index < __atomic_load_n(&all->count, __ATOMIC_ACQUIRE)) {
        now.form = __atomic_load_n(&all->forms[index], __ATOMIC_ACQUIRE);
        now.value = __atomic_load_n(&all->values[index], __ATOMIC_ACQUIRE);
    }
    return now;
}

/* Whether ONE is certainly not OTHER: of some sizes the value is not recorded. */
static bool arguments_differ(const struct recorder_argument_now *one,
                             const struct recorder_argument_now *other)
{
    return one->form && other->form && (one->form != other->form || one->value != other->value);
}

/* The calling thread, THREAD, has replaced BEFORE by NOW. */
static void shared_argument_set(const struct sharing *sharing, struct shared_argument *argument,
                                uint32_t thread, const struct recorder_argument_now *before,
                                const struct recorder_argument_now *now)
{
    bool was_unused = argument->setter && argument->round == sharing->round;
    if (argument->loser == thread) {
        argument->loser = 0;
    }
    if (was_unused && argument->setter != thread && arguments_differ(before, now)) {
        argument->loser = argument->setter;
        argument->form = before->form;
        argument->value = before->value;
        argument->winner = thread;
    }
    argument->setter = thread;
    argument->round = sharing->round;
}

void recorder_kernel_argument_shared(const struct recorder_entry *kernel, uint32_t index,
                                     const struct recorder_argument_now *before,
                                     const void *return_address)
{
    struct recorder_argument_now now =
        recorder_argument_now(&recorder_kernel_record(kernel)->arguments, index);
    struct sharing *sharing = index < ROOM ? sharing_of(kernel) : NULL;
    uint32_t thread = recorder_thread_number(kernel->heap);
    if (!sharing) {
        return;
    }
    struct shared_argument *argument = &sharing->arguments[index];
    shared_argument_set(sharing, argument, thread, before, &now);
    if (argument->loser && argument->winner == thread) {
        argument->lwp = kernel->heap->lwp;
        recorder_site_find(&argument->site, return_address);
    }
    sharing_leave(sharing);
}

static bool thread_is_there(uint32_t thread)
{
    for (uint32_t i = 0; i < recorder_heap_count(); i++) {
        const struct recorder_heap *heap = recorder_heap_get(i);
        if (heap->lwp && recorder_thread_number(heap) == thread) {
            return true;
        }
    }
    return false;
}

/*
 * Whether THREAD, which has enqueued the kernel, certainly did so with another's value of ARGUMENT
 * instead of its own, and both threads use the kernel for commands of their own. A thread that only
 * sets arguments for others, that sets the first values, or that was waited for, is none of these.
 */
static bool argument_is_lost(const struct sharing *sharing, const struct shared_argument *argument,
                             uint32_t thread, const struct recorder_argument_now *now)
{
    const struct recorder_argument_now own = {argument->form, argument->value};
    bool is_amid = argument->setter == argument->winner && argument->round == sharing->round;
    return argument->loser == thread && arguments_differ(&own, now) &&
           sharing_has_enqueuer(sharing, argument->winner) &&
           (is_amid || sharing_has_enqueuer(sharing, thread)) && thread_is_there(argument->winner);
}

/* Report the first argument of KERNEL that was replaced before THREAD enqueued it. */
static void sharing_judge(const struct recorder_entry *kernel, struct sharing *sharing,
                          uint32_t thread, const void *return_address)
{
    const struct ompd_cl_registry_arguments *all = &recorder_kernel_record(kernel)->arguments;
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_kernel_shared,
                                       .object_table = ompd_cl_registry_kernel,
                                       .object = kernel->object->handle};
    for (uint32_t i = 0; i < ROOM; i++) {
        struct shared_argument *argument = &sharing->arguments[i];
        struct recorder_argument_now now = recorder_argument_now(all, i);
        if (!mistake.argument && argument_is_lost(sharing, argument, thread, &now)) {
            mistake.argument = i + 1;
            mistake.other_site.lwp = argument->lwp;
            mistake.other_site.stack = argument->site.stack;
            mistake.other_site.caller = argument->site.caller;
        }
        if (argument->loser == thread) {
            argument->loser = 0;
        }
    }
    if (mistake.argument) {
        recorder_mistake_record(&mistake, return_address);
    }
}

void recorder_kernel_shared_enqueued(const struct recorder_entry *kernel,
                                     const void *return_address)
{
    struct sharing *sharing = sharing_of(kernel);
    uint32_t thread = recorder_thread_number(kernel->heap);
    if (sharing) {
        sharing_judge(kernel, sharing, thread, return_address);
        sharing_add_enqueuer(sharing, thread);
        sharing->round++;
        sharing_leave(sharing);
    }
}
