/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: an SVM allocation was freed while a command uses it. */
#include "questions/findings/findings.h"

/* The SVM pointers that certainly unfinished commands use, each an extent of a byte. */
struct uses {
    struct extents pointers;
    struct pending_commands pending;
    uint32_t kind;    /* of the rows that name them: an older recorder has arguments only */
    uint64_t command; /* id of the one that is examined */
};

/* The command that is examined uses POINTER. */
static ompd_rc_t add_svm_pointer(struct row_visit *visit, uint64_t pointer)
{
    struct uses *uses = visit->rule;

    if (pointer == 0 || pointer == UINT64_MAX)
        return ompd_rc_ok;
    return extents_add(&uses->pointers, visit->space->target.memory,
                       (struct extent){.start = pointer, .end = pointer + 1, .id = uses->command});
}

static ompd_rc_t add_svm_argument(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    uint64_t form;

    if (!value_is_known(&argument->form, &form) || form != ompd_cl_argument_svm)
        return ompd_rc_ok;
    return add_svm_pointer(visit, argument->object.value);
}

/* An access to memory that belongs to no allocation now. What a command frees is of other rules. */
static ompd_rc_t add_svm_access(struct row_visit *visit, const void *row)
{
    const ompd_cl_access_info_t *access = row;
    uint64_t pointer;
    uint64_t value;

    if (!value_is_known(&access->object_kind, &value) ||
        (value != ACCESS_HOST && value != ompd_cl_kind_svm) ||
        value_is_known(&access->object, &value) || access->use.value == ompd_cl_access_frees ||
        !value_is_known(&access->address, &pointer) ||
        (value_is_known(&access->size, &value) && value == 0))
        return ompd_rc_ok;
    return add_svm_pointer(visit, pointer);
}

static ompd_rc_t add_svm_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct uses *uses = visit->rule;
    ompd_rc_t rc;

    if (!pending_commands_have(visit, &uses->pending, command, &rc))
        return rc;
    uses->command = command->head.id;
    return row_visit_all(visit, uses->kind, command->head.id,
                         uses->kind == ompd_cl_kind_access ? add_svm_access : add_svm_argument,
                         uses);
}

void svm_finding_begin(ompd_cl_finding_info_t *finding, const ompd_cl_command_info_t *command,
                       uint64_t pointer)
{
    const struct enqueue_signature *signature = enqueue_signature_of_type(command->type.value);
    uint64_t kernel;
    bool has_kernel = value_is_known(&command->kernel, &kernel) && kernel != 0;

    finding_begin(finding, ompd_cl_finding_svm_used, ompd_cl_kind_command, NULL);
    finding_set(finding, &finding->object_kind,
                has_kernel ? ompd_cl_kind_kernel : ompd_cl_kind_queue);
    finding->object = has_kernel ? command->kernel : command->queue;
    if (signature != NULL && !has_kernel)
        finding_set(finding, &finding->call, signature->call);
    finding_set(finding, &finding->address, pointer);
    finding->head.lwp = command->head.lwp;
    finding->head.caller = command->head.caller;
    finding->head.stack = command->head.stack;
}

/* Whether an allocation with these orders of its creation and its end existed when COMMAND was
 * enqueued. Before and afterwards, the memory may be another one, or memory of the program. */
static bool was_svm_at(uint64_t order, uint64_t end, const ompd_cl_command_info_t *command)
{
    return order < command->head.order.value && end >= command->head.order.value;
}

/* The command of USE uses the allocation GONE, if that was freed after it was enqueued. */
static ompd_rc_t add_svm_command_finding(struct row_visit *visit,
                                         const ompd_cl_destroyed_info_t *gone,
                                         const struct extent *use)
{
    ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_command, use->id, &command, &rc) ||
        !was_svm_at(gone->head.order.value, gone->end_order.value >> GONE_NUMBER_BITS, &command))
        return rc;
    svm_finding_begin(&finding, &command, use->start);
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_svm);
    finding.other = gone->head.handle;
    finding.size = gone->size;
    finding_set_other(&finding, &gone->released_lwp, &gone->released_caller, &gone->released_stack);
    return finding_add(visit, &finding);
}

/* ---- Freed allocations ----------------------------------------------------------------------- */

/* Only a call that frees an allocation tells when that was. A command may have freed it before the
 * recorder learned of that, and the memory may have been reused since. */
static bool is_freed_svm(const ompd_cl_destroyed_info_t *gone, uint64_t *start, uint64_t *size)
{
    uint64_t value;

    return value_is_known(&gone->object_kind, &value) && value == ompd_cl_kind_svm &&
           value_is_known(&gone->ending, &value) && value == ompd_cl_ending_released &&
           gone->head.order.status == ompd_cl_status_value &&
           gone->end_order.status == ompd_cl_status_value &&
           value_is_known(&gone->head.handle, start) && value_is_known(&gone->size, size);
}

static ompd_rc_t check_freed_svm(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    const struct extents *pointers = &((struct uses *)visit->rule)->pointers;
    uint64_t start;
    uint64_t size;
    uint64_t i;
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_freed_svm(gone, &start, &size))
        return ompd_rc_ok;
    i = extents_first(pointers, start);
    for (; i < pointers->count && pointers->all[i].start - start < size && rc == ompd_rc_ok; i++)
        rc = add_svm_command_finding(visit, gone, &pointers->all[i]);
    return rc;
}

static ompd_rc_t add_freed_svm(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    struct extents *freed = visit->rule;
    uint64_t start;
    uint64_t size;

    if (!is_freed_svm(gone, &start, &size))
        return ompd_rc_ok;
    return extents_add(freed, visit->space->target.memory,
                       (struct extent){.within = gone->head.order.value,
                                       .start = start,
                                       .end = start + size,
                                       .id = gone->end_order.value >> GONE_NUMBER_BITS});
}

ompd_rc_t freed_svm_read(struct row_visit *visit, struct extents *freed)
{
    return row_visit_all(visit, ompd_cl_kind_destroyed, 0, add_freed_svm, freed);
}

bool freed_svm_has(const struct extents *freed, const ompd_cl_command_info_t *command,
                   uint64_t address)
{
    for (size_t i = 0; i < freed->count; i++) {
        const struct extent *one = &freed->all[i];

        if (address >= one->start && address < one->end &&
            was_svm_at(one->within, one->id, command))
            return true;
    }
    return false;
}

/* ---- The rule -------------------------------------------------------------------------------- */

ompd_rc_t svm_commands_check(struct row_visit *visit)
{
    const struct registry_table *tables = visit->space->recorder->registry.tables;
    const struct registry_table *commands = &tables[ompd_cl_registry_command];
    struct uses uses = {.kind = ompd_cl_kind_access};
    ompd_rc_t rc;

    if (!registry_has(commands, ompd_cl_registry_field_argument_count) ||
        tables[ompd_cl_registry_gone].record_size == 0)
        return ompd_rc_ok;
    if (!registry_has(commands, ompd_cl_registry_field_operand_kinds))
        uses.kind = ompd_cl_kind_argument;
    rc = pending_commands_read(visit, &uses.pending);
    if (rc == ompd_rc_ok && uses.pending.all.count != 0)
        rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_svm_command, &uses);
    if (rc == ompd_rc_ok && uses.pointers.count != 0) {
        extents_sort(&uses.pointers);
        rc = row_visit_all(visit, ompd_cl_kind_destroyed, 0, check_freed_svm, &uses);
    }
    pending_commands_free(&uses.pending, visit);
    extents_free(&uses.pointers, visit->space->target.memory);
    return rc;
}
