/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about SVM allocations that enqueued commands free: twice, or before a command that uses
 * them. */
#include "questions/findings/findings.h"

#define OUT_OF_ORDER UINT64_C(1) /* of a queue's properties (OpenCL 3.0 section 5.1) */

struct freed {
    /* The SVM pointers that enqueued commands surely free, each an extent of a byte: `is_read` once
     * it is certain that the command has not run. */
    struct extents pointers;
    struct pending_commands pending;
    /* Memory objects with their host memory: `within` is the handle, `start` the command that frees
     * it, `end` not 0 once there is a finding. */
    struct extents memobjs;
    uint64_t freeing;                      /* command of the current pointers */
    const ompd_cl_command_info_t *command; /* command of the current arguments */
};

static ompd_rc_t add_freed_pointer(struct row_visit *visit, const void *row)
{
    const ompd_cl_svm_pointer_info_t *info = row;
    struct freed *freed = visit->rule;
    uint64_t is_allocation;
    uint64_t pointer;

    /* A layout does not show where a pointer comes from, and may be wrong about it. */
    if (!value_is_known(&info->pointer, &pointer) || pointer == 0 || pointer == UINT64_MAX ||
        (value_is_known(&info->from_svm_alloc, &is_allocation) && is_allocation == 0))
        return ompd_rc_ok;
    return extents_add(&freed->pointers, visit->space->target.memory,
                       (struct extent){.start = pointer, .end = pointer + 1, .id = freed->freeing});
}

static ompd_rc_t add_freeing_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;
    struct freed *freed = visit->rule;
    uint64_t state;

    /* A function that is called instead need not free them (OpenCL 3.0 section 5.6.1). */
    if (!value_is_known(&info->state, &state) || state != ompd_cl_svm_free_state_enqueued ||
        info->function.status != ompd_cl_status_not_applicable)
        return ompd_rc_ok;
    freed->freeing = info->head.id;
    return row_visit_all(visit, ompd_cl_kind_svm_pointer, freed->freeing, add_freed_pointer, freed);
}

/* Whether POINTER was allocated again after COMMAND, which has therefore run. */
static bool pointer_is_younger(struct row_visit *visit, uint64_t pointer,
                               const ompd_cl_svm_free_info_t *command, ompd_rc_t *rc)
{
    ompd_cl_svm_info_t svm = {.head.struct_size = sizeof(svm)};
    uint64_t order;

    return row_visit_find(visit, ompd_cl_kind_svm, pointer, &svm, rc) &&
           value_is_known(&svm.head.order, &order) && order > command->head.order.value;
}

/* Two commands, or one that names it twice, free the pointer of FIRST and SECOND. */
static ompd_rc_t add_twice_finding(struct row_visit *visit, const struct extent *first,
                                   const struct extent *second)
{
    ompd_cl_svm_free_info_t rows[] = {{.head.struct_size = sizeof(rows[0])},
                                      {.head.struct_size = sizeof(rows[0])}};
    uint64_t failures = visit->missing->failures;
    ompd_cl_finding_info_t finding;
    uint64_t order;
    unsigned later;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_svm_free, first->id, &rows[0], &rc) ||
        !row_visit_get(visit, ompd_cl_kind_svm_free, second->id, &rows[1], &rc))
        return rc;
    later = rows[1].head.order.value > rows[0].head.order.value;
    /* Report nothing if it is unreadable whether it was allocated again. */
    if (pointer_is_younger(visit, first->start, &rows[!later], &rc) || rc != ompd_rc_ok ||
        visit->missing->failures != failures ||
        !finding_begin(&finding, ompd_cl_finding_svm_freed_twice, ompd_cl_kind_svm_free,
                       &rows[later]))
        return rc;
    if (first->id != second->id &&
        !finding_add_other(&finding, ompd_cl_kind_svm_free, &rows[!later]))
        return ompd_rc_ok;
    /* The first may just have run, and another thread may have allocated the memory again. */
    if (!value_is_known(&rows[0].head.order, &order))
        finding_presume(&finding);
    finding_set(&finding, &finding.address, first->start);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_twice(struct row_visit *visit, const struct extents *pointers)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 1; i < pointers->count && rc == ompd_rc_ok; i++) {
        if (pointers->all[i].start == pointers->all[i - 1].start)
            rc = add_twice_finding(visit, &pointers->all[i - 1], &pointers->all[i]);
    }
    return rc;
}

/* Whether the thread of FREEING has enqueued COMMAND later, in the same queue. */
static bool command_is_later(const ompd_cl_command_info_t *command,
                             const ompd_cl_svm_free_info_t *freeing)
{
    return command->queue.value == freeing->queue.value && command->head.lwp.value != 0 &&
           command->head.lwp.value == freeing->head.lwp.value &&
           command->head.order.value > freeing->head.order.value;
}

/* Whether COMMAND runs after FREEING: one thread has enqueued both, in an in-order queue. */
static bool command_is_behind(struct row_visit *visit, const ompd_cl_command_info_t *command,
                              const ompd_cl_svm_free_info_t *freeing, ompd_rc_t *rc)
{
    ompd_cl_queue_info_t queue = {.head.struct_size = sizeof(queue)};
    uint64_t properties;

    *rc = ompd_rc_ok;
    return command_is_later(command, freeing) &&
           row_visit_find(visit, ompd_cl_kind_queue, command->queue.value, &queue, rc) &&
           value_is_known(&queue.properties, &properties) && (properties & OUT_OF_ORDER) == 0;
}

/* ---- Memory objects -------------------------------------------------------------------------- */

/* Have the memory object of ROW, if a command frees the SVM allocation that is its host memory. */
static ompd_rc_t add_svm_memobj(struct row_visit *visit, const void *row)
{
    const ompd_cl_memobj_info_t *info = row;
    struct freed *freed = visit->rule;
    const struct extents *pointers = &freed->pointers;
    uint64_t pointer;
    uint64_t parent;
    uint64_t state;
    uint64_t i;

    if (!value_is_known(&info->state, &state) || state != ompd_cl_object_state_live ||
        !value_is_known(&info->svm, &pointer) || pointer == 0 ||
        (value_is_known(&info->parent, &parent) && parent != 0))
        return ompd_rc_ok;
    i = extents_first(pointers, pointer);
    if (i == pointers->count || pointers->all[i].start != pointer)
        return ompd_rc_ok;
    return extents_add(&freed->memobjs, visit->space->target.memory,
                       (struct extent){.within = info->head.handle.value,
                                       .start = pointers->all[i].id,
                                       .id = info->head.id});
}

/* The command that is examined uses the memory object of USE. */
static ompd_rc_t check_svm_use(struct row_visit *visit, struct extent *use)
{
    const ompd_cl_command_info_t *command = ((struct freed *)visit->rule)->command;
    ompd_cl_svm_free_info_t freeing = {.head.struct_size = sizeof(freeing)};
    ompd_cl_memobj_info_t memobj = {.head.struct_size = sizeof(memobj)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    /* One that was made later uses reallocated memory. */
    if (!row_visit_get(visit, ompd_cl_kind_svm_free, use->start, &freeing, &rc) ||
        !command_is_behind(visit, command, &freeing, &rc) ||
        !row_visit_get(visit, ompd_cl_kind_memobj, use->id, &memobj, &rc) ||
        memobj.head.order.value > freeing.head.order.value ||
        pointer_is_younger(visit, memobj.svm.value, &freeing, &rc) || rc != ompd_rc_ok ||
        !finding_begin(&finding, ompd_cl_finding_svm_used, ompd_cl_kind_memobj, &memobj))
        return rc;
    use->end = 1;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_svm);
    finding.other = memobj.svm;
    finding_set(&finding, &finding.address, memobj.svm.value);
    finding.size = memobj.size;
    finding.head.lwp = command->head.lwp;
    finding.head.caller = command->head.caller;
    finding.head.stack = command->head.stack;
    finding_set_other(&finding, &freeing.head.lwp, &freeing.head.caller, &freeing.head.stack);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_handle(struct row_visit *visit, const ompd_cl_value_t *value)
{
    struct extents *memobjs = &((struct freed *)visit->rule)->memobjs;
    uint64_t handle;
    uint64_t i;

    if (!value_is_known(value, &handle) || handle == 0)
        return ompd_rc_ok;
    i = extents_first_within(memobjs, handle);
    if (i == memobjs->count || memobjs->all[i].within != handle || memobjs->all[i].end != 0)
        return ompd_rc_ok;
    return check_svm_use(visit, &memobjs->all[i]);
}

static ompd_rc_t check_argument(struct row_visit *visit, const void *row)
{
    const ompd_cl_argument_info_t *argument = row;
    uint64_t form;

    if (!value_is_known(&argument->form, &form) || form != ompd_cl_argument_object)
        return ompd_rc_ok;
    return check_handle(visit, &argument->object);
}

static ompd_rc_t check_command(struct row_visit *visit, const void *row)
{
    struct freed *freed = visit->rule;
    const ompd_cl_command_info_t *command = row;
    uint64_t count;
    ompd_rc_t rc;

    freed->command = command;
    rc = check_handle(visit, &command->memobj);
    if (rc == ompd_rc_ok)
        rc = check_handle(visit, &command->destination);
    if (rc != ompd_rc_ok || !value_is_known(&command->argument_count, &count) || count == 0)
        return rc;
    return row_visit_all(visit, ompd_cl_kind_argument, command->head.id, check_argument, freed);
}

/* A memory object whose SVM allocation is freed may be released before that. That is a mistake only
 * if a later command uses the object. */
static ompd_rc_t check_memobjs(struct row_visit *visit, struct freed *freed)
{
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_memobj, 0, add_svm_memobj, freed);

    if (rc != ompd_rc_ok || freed->memobjs.count == 0)
        return rc;
    extents_sort(&freed->memobjs);
    return row_visit_all(visit, ompd_cl_kind_command, 0, check_command, freed);
}

/* ---- Operands and arguments ------------------------------------------------------------------ */

/* If ACCESS, of an unfinished command, frees a pointer, the pointer is not freed yet. The first
 * command that its thread has enqueued after the record of the free is that of the free. */
static ompd_rc_t mark_pending_free(struct row_visit *visit, const void *row)
{
    const ompd_cl_access_info_t *access = row;
    struct freed *freed = visit->rule;
    struct extents *pointers = &freed->pointers;
    uint64_t pointer;
    ompd_rc_t rc = ompd_rc_ok;

    if (access->use.value != ompd_cl_access_frees || !value_is_known(&access->address, &pointer))
        return ompd_rc_ok;
    for (uint64_t i = extents_first(pointers, pointer);
         i < pointers->count && pointers->all[i].start == pointer && rc == ompd_rc_ok; i++) {
        ompd_cl_svm_free_info_t freeing = {.head.struct_size = sizeof(freeing)};

        if (row_visit_get(visit, ompd_cl_kind_svm_free, pointers->all[i].id, &freeing, &rc) &&
            command_is_later(freed->command, &freeing))
            pointers->all[i].is_read = true;
    }
    return rc;
}

/* The command that is examined uses the allocation at POINTER, which FREE frees before it. */
static ompd_rc_t check_use_after_free(struct row_visit *visit, uint64_t pointer,
                                      const struct extent *free)
{
    const ompd_cl_command_info_t *command = ((struct freed *)visit->rule)->command;
    ompd_cl_svm_free_info_t freeing = {.head.struct_size = sizeof(freeing)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_svm_free, free->id, &freeing, &rc) ||
        !command_is_behind(visit, command, &freeing, &rc) ||
        pointer_is_younger(visit, free->start, &freeing, &rc) || rc != ompd_rc_ok)
        return rc;
    svm_finding_begin(&finding, command, pointer);
    if (!finding_add_other(&finding, ompd_cl_kind_svm_free, &freeing))
        return ompd_rc_ok;
    /* The record alone does not show that it has not run. */
    finding_set(&finding, &finding.head.confidence, ompd_cl_confidence_certain);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_svm_access(struct row_visit *visit, const void *row)
{
    const ompd_cl_access_info_t *access = row;
    const struct extents *pointers = &((struct freed *)visit->rule)->pointers;
    uint64_t kind;
    uint64_t svm;
    uint64_t i;

    if (access->use.value == ompd_cl_access_frees || !value_is_known(&access->object_kind, &kind) ||
        kind != ompd_cl_kind_svm || !value_is_known(&access->object, &svm))
        return ompd_rc_ok;
    i = extents_first(pointers, svm);
    while (i < pointers->count && pointers->all[i].start == svm && !pointers->all[i].is_read)
        i++;
    if (i == pointers->count || pointers->all[i].start != svm)
        return ompd_rc_ok;
    return check_use_after_free(visit, access->address.value, &pointers->all[i]);
}

static ompd_rc_t visit_pending_accesses(struct row_visit *visit, const void *row,
                                        row_visitor_t visitor)
{
    struct freed *freed = visit->rule;
    ompd_rc_t rc;

    freed->command = row;
    if (!pending_commands_have(visit, &freed->pending, freed->command, &rc))
        return rc;
    return row_visit_all(visit, ompd_cl_kind_access, freed->command->head.id, visitor, freed);
}

static ompd_rc_t mark_pending_frees(struct row_visit *visit, const void *row)
{
    return visit_pending_accesses(visit, row, mark_pending_free);
}

static ompd_rc_t check_svm_accesses(struct row_visit *visit, const void *row)
{
    return visit_pending_accesses(visit, row, check_svm_access);
}

/* The memory of an allocation is the program's again when a free of it has run, which the recorder
 * may not know. So only frees count that have certainly not run. */
static ompd_rc_t check_uses_after_frees(struct row_visit *visit, struct freed *freed)
{
    const struct registry_table *commands =
        &visit->space->recorder->registry.tables[ompd_cl_registry_command];
    ompd_rc_t rc;

    if (!registry_has(commands, ompd_cl_registry_field_operand_kinds))
        return ompd_rc_ok;
    rc = pending_commands_read(visit, &freed->pending);
    if (rc != ompd_rc_ok || freed->pending.all.count == 0)
        return rc;
    rc = row_visit_all(visit, ompd_cl_kind_command, 0, mark_pending_frees, freed);
    if (rc == ompd_rc_ok)
        rc = row_visit_all(visit, ompd_cl_kind_command, 0, check_svm_accesses, freed);
    return rc;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static ompd_rc_t check_frees(struct row_visit *visit, struct freed *freed)
{
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_svm_free, 0, add_freeing_command, freed);

    if (rc != ompd_rc_ok || freed->pointers.count == 0)
        return rc;
    extents_sort(&freed->pointers);
    rc = check_twice(visit, &freed->pointers);
    if (rc != ompd_rc_ok || !address_space_has_recorder(visit->space))
        return rc;
    rc = check_memobjs(visit, freed);
    return rc == ompd_rc_ok ? check_uses_after_frees(visit, freed) : rc;
}

ompd_rc_t svm_use_check(struct row_visit *visit)
{
    struct freed freed = {.freeing = 0};
    ompd_rc_t rc;

    rc = check_frees(visit, &freed);
    pending_commands_free(&freed.pending, visit);
    extents_free(&freed.memobjs, visit->space->target.memory);
    extents_free(&freed.pointers, visit->space->target.memory);
    return rc;
}
