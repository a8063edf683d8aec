/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a callback is to be called with is looked at twice: in the first walk through the callbacks
 * its address is kept, so that all are looked up in order, as heaps are walked; in the second those
 * of what is gone are found again.
 */
#include "findings/user-data.h"

#include "base/text.h"
#include "findings/clauses.h"
#include "findings/dead-stacks.h"
#include "findings/heap-chunks.h"
#include "session/sources.h"

/* The first recorder that tells where user data was. */
#define MINOR_OF_PLACES 8

/* What was looked at, and what of it is gone. */
struct user_data {
    struct extents in_heap; /* in the first walk: where user data is; then of it what was freed */
    struct extents stacks;  /* what no function uses any more */
    bool is_on_stack;       /* some user data was */
    bool has_stacks;        /* they were looked for */
    bool is_second_walk;
};

/* A callback that has yet to be called, as its row tells of it. */
struct waiting_callback {
    uint32_t kind;
    const void *row;
    const ompd_cl_value_t *function;
    uint64_t user_data;
};

/* It is presumed: the callback may not use what it is called with. */
static ompd_rc_t keep(struct taking *taking, const struct waiting_callback *callback,
                      ompd_cl_rule_t rule, uint64_t lwp)
{
    ompd_cl_finding_info_t finding;

    if (!finding_begin(&finding, rule, callback->kind, callback->row))
        return ompd_rc_ok;
    finding.function = *callback->function;
    finding_set(&finding, &finding.address, callback->user_data);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    finding_presume(&finding);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_heap(struct taking *taking, const struct waiting_callback *callback)
{
    struct user_data *data = taking->rule;
    uint64_t address = callback->user_data;

    if (!data->is_second_walk)
        return extents_add(&data->in_heap, taking->space->target.memory,
                           (struct extent){.start = address, .end = address + 1});
    if (dead_stacks_find(&data->in_heap, address) == NULL)
        return ompd_rc_ok;
    return keep(taking, callback, ompd_cl_rule_user_data_freed, 0);
}

static ompd_rc_t check_stack(struct taking *taking, const struct waiting_callback *callback)
{
    struct user_data *data = taking->rule;
    const struct extent *stack;
    ompd_rc_t rc = ompd_rc_ok;

    data->is_on_stack = true;
    if (!data->is_second_walk)
        return ompd_rc_ok;
    if (!data->has_stacks)
        rc = dead_stacks_take(taking, &data->stacks);
    data->has_stacks = true;
    stack = rc == ompd_rc_ok ? dead_stacks_find(&data->stacks, callback->user_data) : NULL;
    if (stack == NULL)
        return rc;
    return keep(taking, callback, ompd_cl_rule_user_data_on_stack, stack->id);
}

/* Check CALLBACK, whose user data is told with the PLACE where it was, if it is to be called. */
static ompd_rc_t check(struct taking *taking, struct waiting_callback callback,
                       const ompd_cl_value_t *user_data, const ompd_cl_value_t *place,
                       const ompd_cl_value_t *state)
{
    uint64_t number;

    if (!value_is_known(state, &number) ||
        (number != ompd_cl_state_registered && number != ompd_cl_state_enqueued) ||
        !value_is_known(user_data, &callback.user_data) || callback.user_data == 0)
        return ompd_rc_ok;
    if (taking->space->registry.minor < MINOR_OF_PLACES)
        taking->kept->unlooked |= UNLOOKED(user_data);
    if (!value_is_known(place, &number))
        return ompd_rc_ok;
    if (number == ompd_cl_user_data_in_data)
        return check_heap(taking, &callback);
    return number == ompd_cl_user_data_on_stack ? check_stack(taking, &callback) : ompd_rc_ok;
}

static ompd_rc_t check_destructor(struct taking *taking, const void *row)
{
    const ompd_cl_destructor_info_t *info = row;

    return check(taking,
                 (struct waiting_callback){ompd_cl_kind_destructor, row, &info->function, 0},
                 &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t check_svm_free(struct taking *taking, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;

    return check(taking, (struct waiting_callback){ompd_cl_kind_svm_free, row, &info->function, 0},
                 &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t check_callback(struct taking *taking, const void *row)
{
    const ompd_cl_callback_info_t *info = row;

    return check(taking, (struct waiting_callback){ompd_cl_kind_callback, row, &info->function, 0},
                 &info->user_data, &info->user_data_place, &info->state);
}

static ompd_rc_t walk(struct taking *taking)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_destructor, 0, check_destructor);

    if (rc == ompd_rc_ok)
        rc = taking_walk(taking, ompd_cl_kind_svm_free, 0, check_svm_free);
    if (rc == ompd_rc_ok)
        rc = taking_walk(taking, ompd_cl_kind_callback, 0, check_callback);
    return rc;
}

/* Leave in EXTENTS what lies in chunks that malloc has back. */
static void leave_freed(struct taking *taking, struct extents *extents)
{
    struct heap_chunks chunks = {0};
    size_t freed = 0;

    if (extents->count != 0 && taking->space->target.extra.memory_region == NULL) {
        taking->kept->unlooked |= UNLOOKED(regions);
        extents->count = 0;
    }
    extents_sort(extents);
    for (size_t i = 0; i < extents->count; i++) {
        struct extent extent = extents->all[i];
        enum heap_use use = heap_chunks_find(&chunks, &taking->space->target, extent.start).use;

        if (use == heap_is_freed || use == heap_is_presumed_freed)
            extents->all[freed++] = extent;
    }
    extents->count = freed;
    taking->kept->is_incomplete |= chunks.is_lost;
}

ompd_rc_t user_data_check(struct taking *taking)
{
    struct memory *memory = taking->space->target.memory;
    struct user_data data = {.has_stacks = false};
    ompd_rc_t rc;

    taking->rule = &data;
    rc = walk(taking);
    if (rc == ompd_rc_ok)
        leave_freed(taking, &data.in_heap);
    data.is_second_walk = true;
    if (rc == ompd_rc_ok && (data.in_heap.count != 0 || data.is_on_stack))
        rc = walk(taking);
    taking->rule = NULL;
    extents_free(&data.in_heap, memory);
    extents_free(&data.stacks, memory);
    return rc;
}
