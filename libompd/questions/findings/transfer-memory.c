/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the program's memory that unfinished transfers read or write: it was freed or
 * unmapped, belongs to a function that has returned, or is too small. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

struct transfer_check {
    struct pending_commands pending;
    struct freed_memory freed;
    struct extents stacks;
    bool has_stacks;
    struct extents freed_svm;
    bool has_freed_svm;
    const ompd_cl_command_info_t *command; /* that is examined */
};

/* Whether COMMAND may still be executed after the call that enqueued it. */
static bool is_transfer_to_check(const ompd_cl_command_info_t *command)
{
    uint64_t value;

    return value_is_known(&command->state, &value) && value == ompd_cl_event_state_enqueued &&
           value_is_known(&command->is_blocking, &value) && value == 0 &&
           !(value_is_known(&command->kernel, &value) && value != 0);
}

/* The program's memory that ACCESS names; without a size, its first byte. */
static bool find_host_extent(const ompd_cl_access_info_t *access, struct extent *extent)
{
    uint64_t offset;
    uint64_t size;
    uint64_t kind;

    *extent = (struct extent){0};
    if (!value_is_known(&access->object_kind, &kind) || kind != ACCESS_HOST ||
        !value_is_known(&access->address, &extent->start) || extent->start == 0)
        return false;
    if (!value_is_known(&access->size, &size))
        size = 1;
    if (!value_is_known(&access->offset, &offset))
        offset = 0;
    extent->start += offset;
    extent->end = extent->start + size;
    return extent->end > extent->start;
}

/* Set the command in FINDING: what it works on, the call and the place. */
static void set_command(ompd_cl_finding_info_t *finding, const ompd_cl_command_info_t *command)
{
    const struct enqueue_signature *signature = enqueue_signature_of_type(command->type.value);
    uint64_t memobj;
    bool has_memobj = value_is_known(&command->memobj, &memobj) && memobj != 0;

    finding_set(finding, &finding->object_kind,
                has_memobj ? ompd_cl_kind_memobj : ompd_cl_kind_queue);
    finding->object = has_memobj ? command->memobj : command->queue;
    if (signature != NULL)
        finding_set(finding, &finding->call, signature->call);
    finding->head.lwp = command->head.lwp;
    finding->head.caller = command->head.caller;
    finding->head.stack = command->head.stack;
}

/* Add a finding of RULE about the memory from ADDRESS to END. STACK is the dead stack that it is
 * in, or NULL. That SVM was freed is another rule. */
static ompd_rc_t add_transfer_finding(struct row_visit *visit, struct transfer_check *check,
                                      ompd_cl_finding_kind_t rule, uint64_t address, uint64_t end,
                                      const struct extent *stack)
{
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc = ompd_rc_ok;

    if (!check->has_freed_svm)
        rc = freed_svm_read(visit, &check->freed_svm);
    check->has_freed_svm = true;
    if (rc != ompd_rc_ok || freed_svm_has(&check->freed_svm, check->command, address))
        return rc;
    finding_begin(&finding, rule, ompd_cl_kind_command, NULL);
    set_command(&finding, check->command);
    finding_set(&finding, &finding.address, address);
    finding_set(&finding, &finding.size, end - address);
    if (stack != NULL)
        finding_set(&finding, &finding.thread, stack->id);
    /* A debugger's core does not contain all mappings. */
    if (rule == ompd_cl_finding_transfer_unmapped || (stack != NULL && !stack->is_read))
        finding_presume(&finding);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_host_access(struct row_visit *visit, struct transfer_check *check,
                                   const struct extent *extent)
{
    const struct extent *stack;
    uint64_t at;
    ompd_rc_t rc = ompd_rc_ok;

    if (host_memory_find_unmapped(visit, extent, &at))
        return add_transfer_finding(visit, check, ompd_cl_finding_transfer_unmapped, at,
                                    extent->end, NULL);
    if (freed_memory_has(visit, &check->freed, extent->start))
        return add_transfer_finding(visit, check, ompd_cl_finding_transfer_freed, extent->start,
                                    extent->end, NULL);
    if (!check->has_stacks)
        rc = dead_stacks_read(visit, &check->stacks);
    check->has_stacks = true;
    if (rc != ompd_rc_ok)
        return rc;
    stack = extents_find(&check->stacks, extent->start);
    if (stack != NULL)
        return add_transfer_finding(visit, check, ompd_cl_finding_transfer_on_stack, extent->start,
                                    extent->end, stack);
    if (host_memory_is_too_small(visit, &check->freed, extent, &at))
        return add_transfer_finding(visit, check, ompd_cl_finding_host_too_small, at, extent->end,
                                    NULL);
    return ompd_rc_ok;
}

static ompd_rc_t check_access(struct row_visit *visit, const void *row)
{
    struct transfer_check *check = visit->rule;
    struct extent extent;

    if (!find_host_extent(row, &extent))
        return ompd_rc_ok;
    return check_host_access(visit, check, &extent);
}

static ompd_rc_t check_transfer(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct transfer_check *check = visit->rule;
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_transfer_to_check(command) ||
        !pending_commands_have(visit, &check->pending, command, &rc))
        return rc;
    check->command = command;
    return row_visit_all(visit, ompd_cl_kind_access, command->head.id, check_access, check);
}

ompd_rc_t transfer_memory_check(struct row_visit *visit)
{
    const struct registry_table *commands =
        &visit->space->recorder->registry.tables[ompd_cl_registry_command];
    struct transfer_check check = {.has_stacks = false};
    ompd_rc_t rc;

    if (!registry_has(commands, ompd_cl_registry_field_operand_kinds))
        return ompd_rc_ok;
    if (visit->space->target.extra.memory_region == NULL) {
        visit->missing->unchecked |= UNCHECKED(regions);
        return ompd_rc_ok;
    }
    rc = pending_commands_read(visit, &check.pending);
    if (rc == ompd_rc_ok && check.pending.all.count != 0)
        rc = row_visit_all(visit, ompd_cl_kind_command, 0, check_transfer, &check);
    pending_commands_free(&check.pending, visit);
    freed_memory_free(&check.freed, visit);
    extents_free(&check.stacks, visit->space->target.memory);
    extents_free(&check.freed_svm, visit->space->target.memory);
    return rc;
}
