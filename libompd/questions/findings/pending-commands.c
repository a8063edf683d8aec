/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that are certainly unfinished. */
#include "questions/findings/findings.h"

#define OUT_OF_ORDER UINT64_C(1) /* of cl_command_queue_properties (OpenCL 3.0 section 5.1) */

/* The wait list of a command. */
struct wait_check {
    uint64_t order; /* of the command: an event that was made later only has the handle */
    bool is_blocked;
};

static ompd_rc_t visit_wait(struct row_visit *visit, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct wait_check *check = visit->rule;
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    uint64_t handle;
    uint64_t order;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_known(&wait->event, &handle) &&
        row_visit_find(visit, ompd_cl_kind_event, handle, &event, &rc) &&
        value_is_known(&event.head.order, &order) && order < check->order &&
        event.execution.status == ompd_cl_status_value &&
        event.execution.value == ompd_cl_event_state_unset)
        check->is_blocked = true;
    return rc;
}

/* Whether the runtime shows that COMMAND, whose event the program has, is incomplete. The recorder
 * may not know that it is complete. */
static bool runtime_says_pending(struct row_visit *visit, const ompd_cl_command_info_t *command,
                                 ompd_rc_t *rc)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    uint64_t handle;

    *rc = ompd_rc_ok;
    if (!value_is_known(&command->event, &handle) || handle == 0 ||
        !row_visit_find(visit, ompd_cl_kind_event, handle, &event, rc) ||
        event.queue.value != command->queue.value || event.number.value != command->number.value)
        return false;
    return event.execution.source == ompd_cl_source_layout &&
           event.execution.status == ompd_cl_status_value &&
           (event.execution.value == ompd_cl_event_state_queued ||
            event.execution.value == ompd_cl_event_state_submitted ||
            event.execution.value == ompd_cl_event_state_running);
}

/* Whether COMMAND itself is certainly unfinished: the runtime's event shows that, or it waits for a
 * user event that is not set. *RC is ompd_rc_ok, or why the rule cannot continue. */
static bool pending_command_is(struct row_visit *visit, const ompd_cl_command_info_t *command,
                               ompd_rc_t *rc)
{
    struct wait_check check = {.order = 0};
    uint64_t count;

    if (runtime_says_pending(visit, command, rc))
        return true;
    if (*rc != ompd_rc_ok || !value_is_known(&command->wait_count, &count) || count == 0 ||
        !value_is_known(&command->head.order, &check.order))
        return false;
    *rc = row_visit_all(visit, ompd_cl_kind_wait, command->head.id, visit_wait, &check);
    return *rc == ompd_rc_ok && check.is_blocked;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Whether COMMAND is enqueued, as far as the recorder knows, with a place in its queue. */
static bool command_is_enqueued(const ompd_cl_command_info_t *command)
{
    uint64_t value;

    return value_is_known(&command->state, &value) && value == ompd_cl_event_state_enqueued &&
           value_is_known(&command->number, &value) && value_is_known(&command->queue, &value);
}

static ompd_rc_t add_pending_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct pending_commands *pending = visit->rule;
    ompd_rc_t rc = ompd_rc_ok;

    if (!command_is_enqueued(command) || !pending_command_is(visit, command, &rc))
        return rc;
    return extents_add(&pending->all, visit->space->target.memory,
                       (struct extent){.within = command->queue.value,
                                       .start = command->number.value,
                                       .end = command->number.value + 1,
                                       .id = command->head.lwp.value});
}

/* Return whether commands of QUEUE end one after the other. */
static bool is_in_order(struct row_visit *visit, struct pending_commands *pending, uint64_t queue,
                        ompd_rc_t *rc)
{
    ompd_cl_queue_info_t row = {.head.struct_size = sizeof(row)};
    uint64_t properties;

    if (pending->queue == queue)
        return pending->is_in_order;
    pending->queue = queue;
    pending->is_in_order = row_visit_find(visit, ompd_cl_kind_queue, queue, &row, rc) &&
                           value_is_known(&row.properties, &properties) &&
                           (properties & OUT_OF_ORDER) == 0;
    return pending->is_in_order;
}

bool pending_commands_have(struct row_visit *visit, struct pending_commands *pending,
                           const ompd_cl_command_info_t *command, ompd_rc_t *rc)
{
    const struct extents *all = &pending->all;
    uint64_t queue = command->queue.value;
    uint64_t number = command->number.value;
    uint64_t i = extents_first_within(all, queue);
    uint64_t lwp;

    *rc = ompd_rc_ok;
    if (!command_is_enqueued(command))
        return false;
    if (!value_is_known(&command->head.lwp, &lwp))
        lwp = 0;
    for (; i < all->count && all->all[i].within == queue && all->all[i].start <= number; i++) {
        if (all->all[i].start == number)
            return true;
        /* The recorder numbers commands once they are enqueued: those of two threads may be in
         * another order. */
        if (lwp != 0 && all->all[i].id == lwp && is_in_order(visit, pending, queue, rc))
            return true;
        if (*rc != ompd_rc_ok)
            return false;
    }
    return false;
}

ompd_rc_t pending_commands_read(struct row_visit *visit, struct pending_commands *pending)
{
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_pending_command, pending);

    extents_sort(&pending->all);
    return rc;
}

void pending_commands_free(struct pending_commands *pending, struct row_visit *visit)
{
    extents_free(&pending->all, visit->space->target.memory);
}
