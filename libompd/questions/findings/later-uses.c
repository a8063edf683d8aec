/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What uses memory objects that the program has released: unfinished commands, and objects made
 * from them. */
#include "questions/findings/findings.h"

#define OUT_OF_ORDER UINT64_C(1) /* of cl_command_queue_properties (OpenCL 3.0 section 5.1) */

/* A walk through commands. */
struct later_walk {
    struct later_uses *uses;
    const ompd_cl_command_info_t *command; /* that is examined */
    uint64_t queue;                        /* that was examined last, */
    bool is_in_order;                      /* and whether its commands end one after the other */
};

static ompd_rc_t add_later_use(struct row_visit *visit, uint64_t handle, uint64_t id,
                               bool is_object)
{
    struct later_walk *walk = visit->rule;

    if (handle == 0 || handle == UINT64_MAX)
        return ompd_rc_ok;
    return extents_add(
        &walk->uses->all, visit->space->target.memory,
        (struct extent){.start = handle, .end = handle + 1, .id = id, .is_read = is_object});
}

/* ---- Objects --------------------------------------------------------------------------------- */

static ompd_rc_t add_use_of_object(struct row_visit *visit, const void *row)
{
    const ompd_cl_memobj_info_t *info = row;
    uint64_t parent;
    uint64_t state;

    if (!value_is_known(&info->parent, &parent) || !value_is_known(&info->state, &state) ||
        state != ompd_cl_object_state_live)
        return ompd_rc_ok;
    return add_later_use(visit, parent, info->head.id, true);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static bool command_is_enqueued(const ompd_cl_command_info_t *command)
{
    uint64_t value;

    return value_is_known(&command->state, &value) && value == ompd_cl_event_state_enqueued &&
           value_is_known(&command->number, &value) && value_is_known(&command->queue, &value);
}

static ompd_rc_t add_pending_use(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct later_walk *walk = visit->rule;
    ompd_rc_t rc = ompd_rc_ok;

    if (!command_is_enqueued(command) || !pending_command_is(visit, command, &rc))
        return rc;
    return extents_add(&walk->uses->pending, visit->space->target.memory,
                       (struct extent){.within = command->queue.value,
                                       .start = command->number.value,
                                       .end = command->number.value + 1});
}

/* Return whether commands of QUEUE end one after the other. */
static bool is_in_order(struct row_visit *visit, uint64_t queue, ompd_rc_t *rc)
{
    struct later_walk *walk = visit->rule;
    ompd_cl_queue_info_t row = {.head.struct_size = sizeof(row)};
    uint64_t properties;

    if (walk->queue == queue)
        return walk->is_in_order;
    walk->queue = queue;
    walk->is_in_order = row_visit_find(visit, ompd_cl_kind_queue, queue, &row, rc) &&
                        value_is_known(&row.properties, &properties) &&
                        (properties & OUT_OF_ORDER) == 0;
    return walk->is_in_order;
}

/* Return whether COMMAND is certainly unfinished: itself, or a command before it. */
static bool command_is_pending(struct row_visit *visit, const ompd_cl_command_info_t *command,
                               ompd_rc_t *rc)
{
    const struct later_walk *walk = visit->rule;
    const struct extents *pending = &walk->uses->pending;
    uint64_t queue = command->queue.value;
    uint64_t number = command->number.value;
    uint64_t i = extents_first_within(pending, queue);

    if (i < pending->count && pending->all[i].within == queue && pending->all[i].start < number &&
        is_in_order(visit, queue, rc))
        return true;
    for (; i < pending->count && pending->all[i].within == queue && pending->all[i].start <= number;
         i++) {
        if (pending->all[i].start == number)
            return true;
    }
    return false;
}

/* Add that the command uses the memory object HANDLE, and with a part of another that. */
static ompd_rc_t add_use_of_memobj(struct row_visit *visit, uint64_t handle)
{
    const struct later_walk *walk = visit->rule;
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    uint64_t parent;
    ompd_rc_t rc = ompd_rc_ok;

    if (handle == 0)
        return ompd_rc_ok;
    if (row_visit_find(visit, ompd_cl_kind_memobj, handle, &row, &rc) &&
        value_is_known(&row.parent, &parent))
        rc = add_later_use(visit, parent, walk->command->head.id, false);
    return rc == ompd_rc_ok ? add_later_use(visit, handle, walk->command->head.id, false) : rc;
}

static ompd_rc_t add_use_by_argument(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    uint64_t form;
    uint64_t kind;

    if (!value_is_known(&argument->form, &form) || form != ompd_cl_argument_object ||
        !value_is_known(&argument->object_kind, &kind) || kind != ompd_cl_kind_memobj)
        return ompd_rc_ok;
    return add_use_of_memobj(visit, argument->object.value);
}

static ompd_rc_t add_use_by_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct later_walk *walk = visit->rule;
    uint64_t value;
    ompd_rc_t rc = ompd_rc_ok;

    if (!command_is_enqueued(command) || !command_is_pending(visit, command, &rc))
        return rc;
    walk->command = command;
    if (value_is_known(&command->memobj, &value))
        rc = add_use_of_memobj(visit, value);
    if (rc == ompd_rc_ok && value_is_known(&command->destination, &value))
        rc = add_use_of_memobj(visit, value);
    if (rc == ompd_rc_ok && value_is_known(&command->argument_count, &value) && value != 0)
        rc = row_visit_all(visit, ompd_cl_kind_argument, command->head.id, add_use_by_argument,
                           walk);
    return rc;
}

/* ---- All of them ----------------------------------------------------------------------------- */

ompd_rc_t later_uses_read(struct row_visit *visit, struct later_uses *uses)
{
    const struct registry_table *tables = visit->space->recorder->registry.tables;
    struct later_walk walk = {.uses = uses};
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_memobj, 0, add_use_of_object, &walk);

    if (tables[ompd_cl_registry_command].record_size != 0) {
        if (rc == ompd_rc_ok)
            rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_pending_use, &walk);
        extents_sort(&uses->pending);
        if (rc == ompd_rc_ok && uses->pending.count != 0)
            rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_use_by_command, &walk);
    }
    extents_sort(&uses->all);
    return rc;
}

/* Name the command ID in FINDING. */
static bool name_command(struct row_visit *visit, uint64_t id, ompd_cl_finding_info_t *finding,
                         ompd_rc_t *rc)
{
    ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
    uint64_t kernel;
    bool has_kernel;

    if (!row_visit_get(visit, ompd_cl_kind_command, id, &command, rc))
        return false;
    has_kernel = value_is_known(&command.kernel, &kernel) && kernel != 0;
    finding_set(finding, &finding->other_kind,
                has_kernel ? ompd_cl_kind_kernel : ompd_cl_kind_queue);
    finding->other = has_kernel ? command.kernel : command.queue;
    finding_set_other(finding, &command.head.lwp, &command.head.caller, &command.head.stack);
    return true;
}

bool later_uses_name(struct row_visit *visit, const struct later_uses *uses, uint64_t handle,
                     ompd_cl_finding_info_t *finding, ompd_rc_t *rc)
{
    uint64_t i = extents_first(&uses->all, handle);
    const struct extent *use = uses->all.all + i;
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};

    *rc = ompd_rc_ok;
    if (i == uses->all.count || use->start != handle)
        return false;
    if (!use->is_read)
        return name_command(visit, use->id, finding, rc);
    return row_visit_get(visit, ompd_cl_kind_memobj, use->id, &row, rc) &&
           finding_add_other(finding, ompd_cl_kind_memobj, &row);
}

void later_uses_free(struct later_uses *uses, struct row_visit *visit)
{
    extents_free(&uses->pending, visit->space->target.memory);
    extents_free(&uses->all, visit->space->target.memory);
}

/* ---- Unfinished commands --------------------------------------------------------------------- */

static ompd_rc_t visit_wait(struct row_visit *visit, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    bool *is_blocked = visit->rule;
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_known(&wait->event, &handle) &&
        row_visit_find(visit, ompd_cl_kind_event, handle, &event, &rc) &&
        event.execution.status == ompd_cl_status_value &&
        event.execution.value == ompd_cl_event_state_unset)
        *is_blocked = true;
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

bool pending_command_is(struct row_visit *visit, const ompd_cl_command_info_t *command,
                        ompd_rc_t *rc)
{
    bool is_blocked = false;
    uint64_t count;

    if (runtime_says_pending(visit, command, rc))
        return true;
    if (*rc != ompd_rc_ok || !value_is_known(&command->wait_count, &count) || count == 0)
        return false;
    *rc = row_visit_all(visit, ompd_cl_kind_wait, command->head.id, visit_wait, &is_blocked);
    return *rc == ompd_rc_ok && is_blocked;
}
