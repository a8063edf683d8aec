/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/svm-kernels.h"

#include "base/search.h"
#include "findings/extents.h"
#include "lists/object.h"
#include "rows/recorder-gone-rows.h"

/* The SVM pointers that commands use which surely have yet to end, each an extent of a byte. */
struct uses {
    struct extents pointers;
    uint64_t command; /* id of the one that is looked at */
    bool is_blocked;  /* it waits for a user event that is not set */
};

static ompd_rc_t look_at_wait(struct taking *taking, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct uses *uses = taking->rule;
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_known(&wait->event, &handle) &&
        taking_find(taking, ompd_cl_kind_event, handle, &event, &rc) &&
        event.execution.status == ompd_cl_status_value &&
        event.execution.value == ompd_cl_state_unset)
        uses->is_blocked = true;
    return rc;
}

/* Tell whether the runtime itself says that COMMAND, whose event the program has, has yet to end:
 * the recorder may not know that it has. */
static bool is_pending(struct taking *taking, const ompd_cl_command_info_t *command, ompd_rc_t *rc)
{
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    uint64_t handle;

    *rc = ompd_rc_ok;
    if (!value_is_known(&command->event, &handle) || handle == 0 ||
        !taking_find(taking, ompd_cl_kind_event, handle, &event, rc) ||
        event.queue.value != command->queue.value || event.number.value != command->number.value)
        return false;
    return event.execution.source == ompd_cl_source_layout &&
           event.execution.status == ompd_cl_status_value &&
           (event.execution.value == ompd_cl_state_queued ||
            event.execution.value == ompd_cl_state_submitted ||
            event.execution.value == ompd_cl_state_running);
}

/* Tell whether COMMAND surely has yet to end. */
static bool has_yet_to_end(struct taking *taking, const ompd_cl_command_info_t *command,
                           ompd_rc_t *rc)
{
    struct uses *uses = taking->rule;
    uint64_t count;

    if (is_pending(taking, command, rc))
        return true;
    uses->is_blocked = false;
    if (*rc == ompd_rc_ok && value_is_known(&command->wait_count, &count) && count != 0)
        *rc = taking_walk(taking, ompd_cl_kind_wait, command->id.id, look_at_wait);
    return *rc == ompd_rc_ok && uses->is_blocked;
}

static ompd_rc_t add_argument(struct taking *taking, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    struct uses *uses = taking->rule;
    uint64_t form;

    if (!value_is_known(&argument->form, &form) || form != ompd_cl_argument_svm ||
        argument->object.value == 0 || argument->object.value == UINT64_MAX)
        return ompd_rc_ok;
    return extents_add(&uses->pointers, taking->space->target.memory,
                       (struct extent){.start = argument->object.value,
                                       .end = argument->object.value + 1,
                                       .id = uses->command});
}

static ompd_rc_t add_command(struct taking *taking, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct uses *uses = taking->rule;
    size_t before = uses->pointers.count;
    uint64_t value;
    ompd_rc_t rc;

    if (!value_is_known(&command->state, &value) || value != ompd_cl_state_enqueued ||
        !value_is_known(&command->argument_count, &value) || value == 0)
        return ompd_rc_ok;
    uses->command = command->id.id;
    rc = taking_walk(taking, ompd_cl_kind_argument, command->id.id, add_argument);
    if (rc == ompd_rc_ok && uses->pointers.count != before && !has_yet_to_end(taking, command, &rc))
        uses->pointers.count = before;
    return rc;
}

/* The command of USE uses the allocation of GONE. */
static ompd_rc_t keep(struct taking *taking, const ompd_cl_gone_info_t *gone,
                      const struct extent *use)
{
    ompd_cl_command_info_t command = {.struct_size = sizeof(command)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!taking_get(taking, ompd_cl_kind_command, use->id, &command, &rc) ||
        gone->end_order.value >> GONE_NUMBER_BITS < command.order.value)
        return rc;
    finding_begin(&finding, ompd_cl_rule_svm_used, ompd_cl_kind_command, NULL);
    finding_set(&finding, &finding.object_kind, ompd_cl_kind_kernel);
    finding.object = command.kernel;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_svm);
    finding.other = gone->handle;
    finding_set(&finding, &finding.address, use->start);
    finding.size = gone->size;
    finding.lwp = command.lwp;
    finding.caller = command.caller;
    finding.stack = command.stack;
    finding.other_lwp = gone->released_lwp;
    finding.other_caller = gone->released_caller;
    finding.other_stack = gone->released_stack;
    return finding_keep(taking, &finding);
}

static uint64_t start_key(const void *entries, uint64_t index)
{
    return ((const struct extent *)entries)[index].start;
}

static ompd_rc_t check_gone(struct taking *taking, const void *row)
{
    const ompd_cl_gone_info_t *gone = row;
    struct uses *uses = taking->rule;
    uint64_t start;
    uint64_t size;
    uint64_t i;
    ompd_rc_t rc = ompd_rc_ok;

    if (gone->kind.value != ompd_cl_kind_svm || !value_is_known(&gone->handle, &start) ||
        !value_is_known(&gone->size, &size))
        return ompd_rc_ok;
    i = search_first(uses->pointers.all, uses->pointers.count, start_key, start);
    for (;
         i < uses->pointers.count && uses->pointers.all[i].start - start < size && rc == ompd_rc_ok;
         i++)
        rc = keep(taking, gone, &uses->pointers.all[i]);
    return rc;
}

ompd_rc_t svm_kernels_check(struct taking *taking)
{
    const struct registry_table *tables = taking->space->registry.tables;
    struct uses uses = {.is_blocked = false};
    ompd_rc_t rc;

    if (!registry_has(&tables[ompd_cl_registry_command], ompd_cl_registry_field_argument_count) ||
        tables[ompd_cl_registry_gone].record_size == 0)
        return ompd_rc_ok;
    taking->rule = &uses;
    rc = taking_walk(taking, ompd_cl_kind_command, 0, add_command);
    if (rc == ompd_rc_ok && uses.pointers.count != 0) {
        extents_sort(&uses.pointers);
        rc = taking_walk(taking, ompd_cl_kind_gone, 0, check_gone);
    }
    extents_free(&uses.pointers, taking->space->target.memory);
    taking->rule = NULL;
    return rc;
}
