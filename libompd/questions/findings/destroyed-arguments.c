/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rule: a kernel was enqueued with a destroyed memory object. A kernel does not retain its
 * arguments (OpenCL 3.0 section 5.9.2), so a command enqueued after the last release of one uses a
 * destroyed object. A recorder of version 1.13 records that itself.
 */
#include "questions/findings/findings.h"

struct uses {
    /* Arguments that may be handles of destroyed objects: `within` is the number, `start` the
     * kernel, `id` the command. `end` is first the order of the command, then that of the last
     * memory object which had the handle and was destroyed by then; 0: none. */
    struct extents arguments;
    /* Destroyed memory objects: `within` is the handle, `start` the order of creation, `end` the
     * last order before the end. */
    struct extents gone;
    const ompd_cl_command_info_t *command; /* that is examined */
    uint64_t handle;                       /* that is searched for among its arguments, */
    uint64_t number;                       /* and which one it is */
};

static bool may_be_destroyed(const ompd_cl_argument_info_t *argument)
{
    return argument->form.status == ompd_cl_status_presumed &&
           argument->form.value == ompd_cl_argument_data;
}

static ompd_rc_t add_kernel_argument(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    struct uses *uses = visit->rule;

    if (!may_be_destroyed(argument))
        return ompd_rc_ok;
    return extents_add(&uses->arguments, visit->space->target.memory,
                       (struct extent){.within = argument->value.value,
                                       .start = uses->command->kernel.value,
                                       .end = uses->command->head.order.value,
                                       .id = uses->command->head.id});
}

static ompd_rc_t add_kernel_command(struct row_visit *visit, const void *row)
{
    struct uses *uses = visit->rule;
    uint64_t count;

    uses->command = row;
    if (!value_is_known(&uses->command->argument_count, &count) || count == 0)
        return ompd_rc_ok;
    return row_visit_all(visit, ompd_cl_kind_argument, uses->command->head.id, add_kernel_argument,
                         uses);
}

static ompd_rc_t find_handle_number(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    struct uses *uses = visit->rule;

    if (may_be_destroyed(argument) && argument->value.value == uses->handle)
        uses->number = argument->number.value;
    return ompd_rc_ok;
}

/* Add a finding: COMMAND, and as many more of its kernel as make COUNT, were enqueued with
 * DESTROYED. */
static ompd_rc_t add_argument_finding(struct row_visit *visit, const ompd_cl_destroyed_info_t *gone,
                                      const ompd_cl_command_info_t *command, uint64_t count)
{
    struct uses *uses = visit->rule;
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    uses->handle = gone->head.handle.value;
    uses->number = UINT64_MAX;
    rc = row_visit_all(visit, ompd_cl_kind_argument, command->head.id, find_handle_number, uses);
    if (rc != ompd_rc_ok || uses->number == UINT64_MAX)
        return rc;
    finding_begin(&finding, ompd_cl_finding_argument_gone, ompd_cl_kind_command, NULL);
    finding_set(&finding, &finding.object_kind, ompd_cl_kind_kernel);
    finding.object = command->kernel;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_memobj);
    finding.other = gone->head.handle;
    finding.size = gone->size;
    finding_set(&finding, &finding.argument, uses->number);
    finding_set(&finding, &finding.count, count);
    finding.head.lwp = command->head.lwp;
    finding.head.caller = command->head.caller;
    finding.head.stack = command->head.stack;
    finding_set_other(&finding, &gone->released_lwp, &gone->released_caller, &gone->released_stack);
    return finding_add(visit, &finding);
}

static bool is_destroyed_memobj(const ompd_cl_destroyed_info_t *gone)
{
    uint64_t handle;

    return gone->object_kind.value == ompd_cl_kind_memobj &&
           value_is_known(&gone->head.handle, &handle) &&
           gone->head.order.status == ompd_cl_status_value &&
           gone->end_order.status == ompd_cl_status_value;
}

static ompd_rc_t add_destroyed(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    struct uses *uses = visit->rule;

    if (!is_destroyed_memobj(gone))
        return ompd_rc_ok;
    return extents_add(&uses->gone, visit->space->target.memory,
                       (struct extent){.within = gone->head.handle.value,
                                       .start = gone->head.order.value,
                                       .end = gone->end_order.value >> GONE_NUMBER_BITS});
}

/* Resolve the memory object of USE, if it was destroyed. The handle may have been reused several
 * times: the last object before the command is meant. */
static void resolve_destroyed(const struct extents *gone, struct extent *use)
{
    uint64_t first = extents_first_within(gone, use->within);
    uint64_t end = use->within != UINT64_MAX ? extents_first_within(gone, use->within + 1) : first;
    const struct extents same = {.all = gone->all + first, .count = (uint32_t)(end - first)};
    uint64_t order = use->end;
    uint64_t before = extents_first(&same, order);

    use->end = before != 0 && same.all[before - 1].end < order ? same.all[before - 1].start : 0;
}

/* Add a finding for the commands of one kernel from USE on, before END, that name DESTROYED. *NEXT
 * is behind them. */
static ompd_rc_t check_kernel(struct row_visit *visit, const ompd_cl_destroyed_info_t *gone,
                              const struct extent *use, const struct extent *end,
                              const struct extent **next)
{
    ompd_cl_command_info_t first = {.head.struct_size = 0};
    uint64_t kernel = use->start;
    uint64_t count = 0;

    for (; use < end && use->start == kernel; use++) {
        ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
        ompd_rc_t rc = ompd_rc_ok;

        if (use->end == gone->head.order.value &&
            row_visit_get(visit, ompd_cl_kind_command, use->id, &command, &rc)) {
            if (count == 0 || command.head.order.value < first.head.order.value)
                first = command;
            count++;
        }
        if (rc != ompd_rc_ok)
            return rc;
    }
    *next = use;
    return count != 0 ? add_argument_finding(visit, gone, &first, count) : ompd_rc_ok;
}

static ompd_rc_t check_destroyed(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    struct uses *uses = visit->rule;
    const struct extents *arguments = &uses->arguments;
    const struct extent *use;
    const struct extent *end;
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_destroyed_memobj(gone))
        return ompd_rc_ok;
    use = arguments->all + extents_first_within(arguments, gone->head.handle.value);
    end = use;
    while (end < arguments->all + arguments->count && end->within == gone->head.handle.value)
        end++;
    while (use < end && rc == ompd_rc_ok)
        rc = check_kernel(visit, gone, use, end, &use);
    return rc;
}

/* Whether no thread is creating or ending a memory object. An ended one is counted until its end is
 * recorded; until then an earlier one seems to be the last with its handle. */
static bool records_are_settled(struct row_visit *visit, ompd_rc_t *rc)
{
    struct registry *registry = &visit->space->recorder->registry;
    struct live_counts tally;
    uint64_t live;

    *rc = live_counts_read(&tally, visit->space, ompd_cl_registry_memobj);
    if (*rc == ompd_rc_ok)
        *rc = registry_count_live(registry, &registry->tables[ompd_cl_registry_memobj], &live);
    if (*rc == ompd_rc_ok)
        return live == tally.counts[0] + tally.destroyed[0];
    shortfall_note(visit->missing, *rc == ompd_rc_incomplete);
    *rc = rc_is_final(*rc) ? *rc : ompd_rc_ok;
    return false;
}

/* Examine the arguments that were found. */
static ompd_rc_t check_arguments(struct row_visit *visit, struct uses *uses)
{
    bool is_one_gone = false;
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_destroyed, 0, add_destroyed, uses);

    if (rc != ompd_rc_ok || uses->gone.count == 0)
        return rc;
    extents_sort(&uses->gone);
    extents_sort(&uses->arguments);
    for (size_t i = 0; i < uses->arguments.count; i++) {
        resolve_destroyed(&uses->gone, &uses->arguments.all[i]);
        is_one_gone |= uses->arguments.all[i].end != 0;
    }
    if (!is_one_gone || !records_are_settled(visit, &rc))
        return rc;
    return row_visit_all(visit, ompd_cl_kind_destroyed, 0, check_destroyed, uses);
}

ompd_rc_t destroyed_arguments_check(struct row_visit *visit)
{
    const struct registry_table *tables = visit->space->recorder->registry.tables;
    struct uses uses = {.command = NULL};
    ompd_rc_t rc;

    if (registry_has(&tables[ompd_cl_registry_error], ompd_cl_registry_field_argument) ||
        !registry_has(&tables[ompd_cl_registry_command], ompd_cl_registry_field_argument_count) ||
        tables[ompd_cl_registry_gone].record_size == 0)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_kernel_command, &uses);
    if (rc == ompd_rc_ok && uses.arguments.count != 0)
        rc = check_arguments(visit, &uses);
    extents_free(&uses.gone, visit->space->target.memory);
    extents_free(&uses.arguments, visit->space->target.memory);
    return rc;
}
