/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What uses memory objects that the program has released: unfinished commands, and objects made
 * from them. */
#include "questions/findings/findings.h"

/* A walk through commands. */
struct later_walk {
    struct later_uses *uses;
    const ompd_cl_command_info_t *command; /* that is examined */
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

    if (!pending_commands_have(visit, &walk->uses->pending, command, &rc))
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
            rc = pending_commands_read(visit, &uses->pending);
        if (rc == ompd_rc_ok && uses->pending.all.count != 0)
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
    pending_commands_free(&uses->pending, visit);
    extents_free(&uses->all, visit->space->target.memory);
}
