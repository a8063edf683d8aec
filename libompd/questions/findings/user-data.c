/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about callbacks whose user data was freed or unmapped. Callbacks are visited twice. The
 * first walk collects the addresses of user data, which are then resolved in order, because heaps
 * are walked. The second walk finds the callbacks with freed user data again. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* The first registry versions that record where user data was, and in all memory. */
#define MINOR_OF_PLACES 8
#define MINOR_OF_MAPPINGS 10

/* The addresses that were examined, and which of them were freed. */
struct user_data {
    struct extents in_memory; /* in the first walk: places of user data; then the freed ones: `id`
                                 is the rule */
    struct extents stacks;    /* dead stack memory */
    struct extents threads;   /* LWPs of all threads; none: unknown */
    bool is_on_stack;         /* some user data was */
    bool has_stacks;          /* they were searched for, and the threads */
    bool is_second_walk;
};

/* A callback that was not called yet or is running, by its row. */
struct waiting_callback {
    uint32_t kind;
    const void *row;
    const ompd_cl_value_t *function;
    const ompd_cl_value_t *lwp; /* that registered it */
    const ompd_cl_value_t *running_lwp;
    uint64_t user_data;
    uint64_t runs_in; /* LWP; 0: it was not called yet */
};

/* Return whether by RULE the callback of KIND may have freed its user data when it was called for
 * another registration. */
static bool may_have_freed(ompd_cl_finding_kind_t rule, uint32_t kind)
{
    return kind == ompd_cl_kind_destructor &&
           (rule == ompd_cl_finding_user_data_freed || rule == ompd_cl_finding_user_data_unmapped);
}

/* It is presumed, because the callback may not use its user data. */
static ompd_rc_t add_user_data_finding(struct row_visit *visit,
                                       const struct waiting_callback *callback,
                                       ompd_cl_finding_kind_t rule, uint64_t lwp)
{
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc = ompd_rc_ok;

    if (!finding_begin(&finding, rule, callback->kind, callback->row))
        return ompd_rc_ok;
    finding.function = *callback->function;
    finding_set(&finding, &finding.address, callback->user_data);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    finding_presume(&finding);
    if (may_have_freed(rule, callback->kind))
        rc = other_registration_add(visit, &finding);
    return rc == ompd_rc_ok ? finding_add(visit, &finding) : rc;
}

static ompd_rc_t check_user_data_memory(struct row_visit *visit,
                                        const struct waiting_callback *callback)
{
    struct user_data *data = visit->rule;
    uint64_t address = callback->user_data;
    const struct extent *gone;

    if (!data->is_second_walk)
        return extents_add(&data->in_memory, visit->space->target.memory,
                           (struct extent){.start = address, .end = address + 1});
    gone = extents_find(&data->in_memory, address);
    return gone == NULL ? ompd_rc_ok
                        : add_user_data_finding(visit, callback, (ompd_cl_finding_kind_t)gone->id,
                                                callback->runs_in);
}

/* Read the list of threads. If the recorder's process is not among them, they have other numbers
 * here, as for a container. */
static ompd_rc_t read_thread_list(struct row_visit *visit, struct extents *threads)
{
    struct address_space *space = visit->space;
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc;

    for (uint32_t i = 0; (rc = thread_get(&space->target, i, &thread)) == ompd_rc_ok; i++) {
        rc = extents_add(threads, space->target.memory,
                         (struct extent){.start = thread.lwp, .end = thread.lwp + 1});
        if (rc != ompd_rc_ok)
            return rc;
    }
    extents_sort(threads);
    if (rc != ompd_rc_unavailable || extents_find(threads, space->recorder->registry.pid) == NULL)
        threads->count = 0;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Read what shows where stacks are dead. */
static ompd_rc_t read_dead_stacks(struct row_visit *visit, struct user_data *data)
{
    ompd_rc_t rc;

    if (data->has_stacks)
        return ompd_rc_ok;
    data->has_stacks = true;
    rc = dead_stacks_read(visit, &data->stacks);
    return rc == ompd_rc_ok ? read_thread_list(visit, &data->threads) : rc;
}

/* Return whether the thread that registered CALLBACK has ended. Those of the process that this one
 * was forked from are not here. */
static bool has_ended(const struct row_visit *visit, const struct waiting_callback *callback)
{
    const struct user_data *data = visit->rule;
    uint64_t lwp;

    return visit->space->recorder->registry.forked_from == 0 && data->threads.count != 0 &&
           value_is_known(callback->lwp, &lwp) && lwp != 0 &&
           extents_find(&data->threads, lwp) == NULL;
}

static ompd_rc_t check_user_data_stack(struct row_visit *visit,
                                       const struct waiting_callback *callback)
{
    struct user_data *data = visit->rule;
    const struct extent *stack;
    ompd_rc_t rc = ompd_rc_ok;

    data->is_on_stack = true;
    if (!data->is_second_walk)
        return ompd_rc_ok;
    rc = read_dead_stacks(visit, data);
    if (rc == ompd_rc_ok && has_ended(visit, callback))
        return add_user_data_finding(visit, callback, ompd_cl_finding_user_data_of_ended,
                                     callback->lwp->value);
    stack = rc == ompd_rc_ok ? extents_find(&data->stacks, callback->user_data) : NULL;
    if (stack == NULL)
        return rc;
    return add_user_data_finding(visit, callback, ompd_cl_finding_user_data_on_stack, stack->id);
}

/* Whether the user data of CALLBACK in STATE must exist: a running one may have freed it itself. */
static bool needs_user_data(struct row_visit *visit, struct waiting_callback *callback,
                            uint64_t state)
{
    uint64_t function;

    if (state != ompd_cl_callback_state_running)
        return state == ompd_cl_callback_state_registered ||
               state == ompd_cl_svm_free_state_enqueued;
    return value_is_known(callback->running_lwp, &callback->runs_in) && callback->runs_in != 0 &&
           value_is_known(callback->function, &function) &&
           running_callback_has_freed_nothing(visit->space, callback->runs_in, function);
}

/* Check CALLBACK, whose user data has the PLACE where it was, if it will be called or has just
 * been. */
static ompd_rc_t check_user_data(struct row_visit *visit, struct waiting_callback callback,
                                 const ompd_cl_value_t *user_data, const ompd_cl_value_t *place,
                                 const ompd_cl_value_t *state)
{
    uint64_t number;

    if (!value_is_known(state, &number) || !needs_user_data(visit, &callback, number) ||
        !value_is_known(user_data, &callback.user_data) || callback.user_data == 0)
        return ompd_rc_ok;
    if (visit->space->recorder->registry.minor < MINOR_OF_PLACES)
        visit->missing->unchecked |= UNCHECKED(user_data);
    else if (visit->space->recorder->registry.minor < MINOR_OF_MAPPINGS)
        visit->missing->unchecked |= UNCHECKED(mappings);
    if (!value_is_known(place, &number))
        return ompd_rc_ok;
    if (number == ompd_cl_user_data_in_data || number == ompd_cl_user_data_in_mapping)
        return check_user_data_memory(visit, &callback);
    return number == ompd_cl_user_data_on_stack && callback.runs_in == 0
               ? check_user_data_stack(visit, &callback)
               : ompd_rc_ok;
}

static ompd_rc_t check_destructor_user_data(struct row_visit *visit, const void *row)
{
    const ompd_cl_destructor_info_t *info = row;

    return check_user_data(visit,
                           (struct waiting_callback){.kind = ompd_cl_kind_destructor,
                                                     .row = row,
                                                     .function = &info->function,
                                                     .lwp = &info->head.lwp,
                                                     .running_lwp = &info->running_lwp},
                           &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t check_svm_free_user_data(struct row_visit *visit, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;

    return check_user_data(visit,
                           (struct waiting_callback){.kind = ompd_cl_kind_svm_free,
                                                     .row = row,
                                                     .function = &info->function,
                                                     .lwp = &info->head.lwp,
                                                     .running_lwp = &info->running_lwp},
                           &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t check_callback_user_data(struct row_visit *visit, const void *row)
{
    const ompd_cl_callback_info_t *info = row;

    return check_user_data(visit,
                           (struct waiting_callback){.kind = ompd_cl_kind_callback,
                                                     .row = row,
                                                     .function = &info->function,
                                                     .lwp = &info->head.lwp,
                                                     .running_lwp = &info->running_lwp},
                           &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t walk_callbacks(struct row_visit *visit, struct user_data *data)
{
    ompd_rc_t rc =
        row_visit_all(visit, ompd_cl_kind_destructor, 0, check_destructor_user_data, data);

    if (rc == ompd_rc_ok)
        rc = row_visit_all(visit, ompd_cl_kind_svm_free, 0, check_svm_free_user_data, data);
    if (rc == ompd_rc_ok)
        rc = row_visit_all(visit, ompd_cl_kind_callback, 0, check_callback_user_data, data);
    return rc;
}

/* The rule for memory at ADDRESS that was freed or unmapped; 0: it exists, or that is unknown. */
static ompd_cl_finding_kind_t find_memory_rule(struct row_visit *visit, struct freed_memory *freed,
                                               uint64_t address)
{
    struct target *target = &visit->space->target;
    struct region_run run;
    ompd_rc_t rc = region_get(target, address, &run);

    if (rc == ompd_rc_unavailable)
        return ompd_cl_finding_user_data_unmapped;
    if (rc != ompd_rc_ok) {
        shortfall_note(visit->missing, rc == ompd_rc_incomplete);
        return (ompd_cl_finding_kind_t)0;
    }
    return freed_memory_has(visit, freed, address) ? ompd_cl_finding_user_data_freed
                                                   : (ompd_cl_finding_kind_t)0;
}

/* Retain only the EXTENTS that are not mapped, or in freed chunks of malloc. */
static void retain_freed(struct row_visit *visit, struct extents *extents)
{
    struct freed_memory freed = {.has_heap = false};
    size_t gone = 0;

    if (extents->count != 0 && visit->space->target.extra.memory_region == NULL) {
        visit->missing->unchecked |= UNCHECKED(regions);
        extents->count = 0;
    }
    extents_sort(extents);
    for (size_t i = 0; i < extents->count; i++) {
        struct extent extent = extents->all[i];

        extent.id = find_memory_rule(visit, &freed, extent.start);
        if (extent.id != 0)
            extents->all[gone++] = extent;
    }
    extents->count = gone;
    freed_memory_free(&freed, visit);
}

ompd_rc_t user_data_check(struct row_visit *visit)
{
    struct memory *memory = visit->space->target.memory;
    struct user_data data = {.has_stacks = false};
    ompd_rc_t rc;

    rc = walk_callbacks(visit, &data);
    if (rc == ompd_rc_ok)
        retain_freed(visit, &data.in_memory);
    data.is_second_walk = true;
    if (rc == ompd_rc_ok && (data.in_memory.count != 0 || data.is_on_stack))
        rc = walk_callbacks(visit, &data);
    extents_free(&data.in_memory, memory);
    extents_free(&data.threads, memory);
    extents_free(&data.stacks, memory);
    return rc;
}
