/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: an SVM allocation was freed while a kernel's command uses it. */
#include "questions/findings/findings.h"

/* The SVM pointers that certainly unfinished commands use, each an extent of a byte. */
struct uses {
    struct extents pointers;
    uint64_t command; /* id of the one that is examined */
};

static ompd_rc_t add_svm_argument(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    struct uses *uses = visit->rule;
    uint64_t form;

    if (!value_is_known(&argument->form, &form) || form != ompd_cl_argument_svm ||
        argument->object.value == 0 || argument->object.value == UINT64_MAX)
        return ompd_rc_ok;
    return extents_add(&uses->pointers, visit->space->target.memory,
                       (struct extent){.start = argument->object.value,
                                       .end = argument->object.value + 1,
                                       .id = uses->command});
}

static ompd_rc_t add_svm_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct uses *uses = visit->rule;
    size_t before = uses->pointers.count;
    uint64_t value;
    ompd_rc_t rc;

    if (!value_is_known(&command->state, &value) || value != ompd_cl_event_state_enqueued ||
        !value_is_known(&command->argument_count, &value) || value == 0)
        return ompd_rc_ok;
    uses->command = command->head.id;
    rc = row_visit_all(visit, ompd_cl_kind_argument, command->head.id, add_svm_argument, uses);
    if (rc == ompd_rc_ok && uses->pointers.count != before &&
        !pending_command_is(visit, command, &rc))
        uses->pointers.count = before;
    return rc;
}

/* The command of USE uses the freed allocation. */
static ompd_rc_t add_svm_kernel_finding(struct row_visit *visit,
                                        const ompd_cl_destroyed_info_t *gone,
                                        const struct extent *use)
{
    ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_command, use->id, &command, &rc) ||
        gone->end_order.value >> GONE_NUMBER_BITS < command.head.order.value)
        return rc;
    finding_begin(&finding, ompd_cl_finding_svm_used, ompd_cl_kind_command, NULL);
    finding_set(&finding, &finding.object_kind, ompd_cl_kind_kernel);
    finding.object = command.kernel;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_svm);
    finding.other = gone->head.handle;
    finding_set(&finding, &finding.address, use->start);
    finding.size = gone->size;
    finding.head.lwp = command.head.lwp;
    finding.head.caller = command.head.caller;
    finding.head.stack = command.head.stack;
    finding_set_other(&finding, &gone->released_lwp, &gone->released_caller, &gone->released_stack);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_freed_svm(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    struct uses *uses = visit->rule;
    uint64_t start;
    uint64_t size;
    uint64_t i;
    ompd_rc_t rc = ompd_rc_ok;

    if (gone->object_kind.value != ompd_cl_kind_svm ||
        !value_is_known(&gone->head.handle, &start) || !value_is_known(&gone->size, &size))
        return ompd_rc_ok;
    i = extents_first(&uses->pointers, start);
    for (;
         i < uses->pointers.count && uses->pointers.all[i].start - start < size && rc == ompd_rc_ok;
         i++)
        rc = add_svm_kernel_finding(visit, gone, &uses->pointers.all[i]);
    return rc;
}

ompd_rc_t svm_kernels_check(struct row_visit *visit)
{
    const struct registry_table *tables = visit->space->recorder->registry.tables;
    struct uses uses = {.command = 0};
    ompd_rc_t rc;

    if (!registry_has(&tables[ompd_cl_registry_command], ompd_cl_registry_field_argument_count) ||
        tables[ompd_cl_registry_gone].record_size == 0)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_svm_command, &uses);
    if (rc == ompd_rc_ok && uses.pointers.count != 0) {
        extents_sort(&uses.pointers);
        rc = row_visit_all(visit, ompd_cl_kind_destroyed, 0, check_freed_svm, &uses);
    }
    extents_free(&uses.pointers, visit->space->target.memory);
    return rc;
}
