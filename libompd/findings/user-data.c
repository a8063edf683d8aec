/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/user-data.h"

#include "base/text.h"
#include "findings/clauses.h"
#include "findings/dead-stacks.h"
#include "findings/heap-chunks.h"

/* Memory that the program has given back. */
struct given_back {
    struct heap_chunks chunks;
    struct extents stacks;
    bool has_stacks; /* they were looked for, which only a callback makes worth while */
};

/* A callback that has yet to be called, as its row tells of it. */
struct waiting_callback {
    uint32_t kind;
    const void *row;
    const ompd_cl_value_t *function;
    const ompd_cl_value_t *user_data;
    const ompd_cl_value_t *place;
};

/* It is presumed: the callback may not use what it is called with. */
static ompd_rc_t keep(struct taking *taking, const struct waiting_callback *callback,
                      ompd_cl_rule_t rule, uint64_t lwp)
{
    ompd_cl_finding_info_t finding;

    if (!finding_begin(&finding, rule, callback->kind, callback->row))
        return ompd_rc_ok;
    finding.function = *callback->function;
    finding_set(&finding, &finding.address, callback->user_data->value);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    finding_presume(&finding);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_heap(struct taking *taking, const struct waiting_callback *callback,
                            uint64_t address)
{
    struct given_back *memory = taking->rule;
    struct heap_chunk chunk;

    if (taking->space->target.extra.memory_region == NULL) {
        taking->kept->unlooked |= UNLOOKED(regions);
        return ompd_rc_ok;
    }
    chunk = heap_chunks_find(&memory->chunks, &taking->space->target, address);
    taking->kept->is_incomplete |= memory->chunks.is_lost;
    if (chunk.use != heap_is_freed && chunk.use != heap_is_presumed_freed)
        return ompd_rc_ok;
    return keep(taking, callback, ompd_cl_rule_user_data_freed, 0);
}

static ompd_rc_t check_stack(struct taking *taking, const struct waiting_callback *callback,
                             uint64_t address)
{
    struct given_back *memory = taking->rule;
    const struct extent *stack;
    ompd_rc_t rc = memory->has_stacks ? ompd_rc_ok : dead_stacks_take(taking, &memory->stacks);

    if (rc != ompd_rc_ok)
        return rc;
    memory->has_stacks = true;
    stack = dead_stacks_find(&memory->stacks, address);
    if (stack == NULL)
        return ompd_rc_ok;
    return keep(taking, callback, ompd_cl_rule_user_data_on_stack, stack->id);
}

static ompd_rc_t check(struct taking *taking, const struct waiting_callback *callback,
                       const ompd_cl_value_t *state)
{
    uint64_t address;
    uint64_t place;
    uint64_t number;

    if (!value_is_known(state, &number) ||
        (number != ompd_cl_state_registered && number != ompd_cl_state_enqueued) ||
        !value_is_known(callback->place, &place) || !value_is_known(callback->user_data, &address))
        return ompd_rc_ok;
    if (place == ompd_cl_user_data_in_data)
        return check_heap(taking, callback, address);
    return place == ompd_cl_user_data_on_stack ? check_stack(taking, callback, address)
                                               : ompd_rc_ok;
}

static ompd_rc_t check_destructor(struct taking *taking, const void *row)
{
    const ompd_cl_destructor_info_t *info = row;

    return check(taking,
                 &(struct waiting_callback){ompd_cl_kind_destructor, info, &info->function,
                                            &info->user_data, &info->user_data_place},
                 &info->state);
}

static ompd_rc_t check_svm_free(struct taking *taking, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;

    return check(taking,
                 &(struct waiting_callback){ompd_cl_kind_svm_free, info, &info->function,
                                            &info->user_data, &info->user_data_place},
                 &info->state);
}

static ompd_rc_t check_callback(struct taking *taking, const void *row)
{
    const ompd_cl_callback_info_t *info = row;

    return check(taking,
                 &(struct waiting_callback){ompd_cl_kind_callback, info, &info->function,
                                            &info->user_data, &info->user_data_place},
                 &info->state);
}

ompd_rc_t user_data_check(struct taking *taking)
{
    struct given_back memory = {.stacks = {0}};
    ompd_rc_t rc;

    taking->rule = &memory;
    rc = taking_walk(taking, ompd_cl_kind_destructor, 0, check_destructor);
    if (rc == ompd_rc_ok)
        rc = taking_walk(taking, ompd_cl_kind_svm_free, 0, check_svm_free);
    if (rc == ompd_rc_ok)
        rc = taking_walk(taking, ompd_cl_kind_callback, 0, check_callback);
    taking->rule = NULL;
    extents_free(&memory.stacks, taking->space->target.memory);
    return rc;
}
