/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/svm-use.h"

#include "findings/extents.h"

/* The SVM pointers that enqueued commands free, each an extent of a byte. */
struct freed {
    struct extents pointers;
    uint64_t command; /* whose pointers are looked at */
};

static ompd_rc_t add_pointer(struct taking *taking, const void *row)
{
    const ompd_cl_svm_pointer_info_t *info = row;
    struct freed *freed = taking->rule;
    uint64_t is_allocation;
    uint64_t pointer;

    /* A layout does not tell what gave a pointer, nor shows what it may be wrong about as sure. */
    if (!value_is_known(&info->pointer, &pointer) || pointer == 0 || pointer == UINT64_MAX ||
        (value_is_known(&info->from_svm_alloc, &is_allocation) && is_allocation == 0))
        return ompd_rc_ok;
    return extents_add(&freed->pointers, taking->space->target.memory,
                       (struct extent){.start = pointer, .end = pointer + 1, .id = freed->command});
}

static ompd_rc_t add_command(struct taking *taking, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;
    struct freed *freed = taking->rule;
    uint64_t state;

    if (!value_is_known(&info->state, &state) || state != ompd_cl_state_enqueued)
        return ompd_rc_ok;
    freed->command = info->id.id;
    return taking_walk(taking, ompd_cl_kind_svm_pointer, freed->command, add_pointer);
}

/* Tell whether POINTER was given out again after COMMAND, which therefore has run. */
static bool is_younger(struct taking *taking, uint64_t pointer,
                       const ompd_cl_svm_free_info_t *command, ompd_rc_t *rc)
{
    ompd_cl_svm_info_t svm = {.struct_size = sizeof(svm)};
    uint64_t order;

    return taking_find(taking, ompd_cl_kind_svm, pointer, &svm, rc) &&
           value_is_known(&svm.order, &order) && order > command->order.value;
}

/* Two commands, or one that names it twice, free the pointer of FIRST and SECOND. */
static ompd_rc_t keep_twice(struct taking *taking, const struct extent *first,
                            const struct extent *second)
{
    ompd_cl_svm_free_info_t rows[] = {{.struct_size = sizeof(rows[0])},
                                      {.struct_size = sizeof(rows[0])}};
    uint64_t failures = taking->failures;
    ompd_cl_finding_info_t finding;
    uint64_t order;
    unsigned later;
    ompd_rc_t rc;

    if (!taking_get(taking, ompd_cl_kind_svm_free, first->id, &rows[0], &rc) ||
        !taking_get(taking, ompd_cl_kind_svm_free, second->id, &rows[1], &rc))
        return rc;
    later = rows[1].order.value > rows[0].order.value;
    /* Where it cannot be read whether it was given out again, nothing is said. */
    if (is_younger(taking, first->start, &rows[!later], &rc) || rc != ompd_rc_ok ||
        taking->failures != failures ||
        !finding_begin(&finding, ompd_cl_rule_svm_freed_twice, ompd_cl_kind_svm_free, &rows[later]))
        return rc;
    if (first->id != second->id &&
        !finding_add_other(&finding, ompd_cl_kind_svm_free, &rows[!later]))
        return ompd_rc_ok;
    /* The first may just have run, and another thread have been given the memory again. */
    if (!value_is_known(&rows[0].order, &order))
        finding_presume(&finding);
    finding_set(&finding, &finding.address, first->start);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_twice(struct taking *taking, const struct extents *pointers)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 1; i < pointers->count && rc == ompd_rc_ok; i++) {
        if (pointers->all[i].start == pointers->all[i - 1].start)
            rc = keep_twice(taking, &pointers->all[i - 1], &pointers->all[i]);
    }
    return rc;
}

/* A memory object whose host memory is an SVM allocation: of which a free may be enqueued. */
static ompd_rc_t check_memobj(struct taking *taking, const void *row)
{
    const ompd_cl_memobj_info_t *info = row;
    ompd_cl_svm_info_t svm = {.struct_size = sizeof(svm)};
    ompd_cl_finding_info_t finding;
    uint64_t pointer;
    uint64_t parent;
    uint64_t state;
    ompd_rc_t rc;

    if (!value_is_known(&info->state, &state) || state != ompd_cl_state_live ||
        !value_is_known(&info->svm, &pointer) || pointer == 0 ||
        (value_is_known(&info->parent, &parent) && parent != 0))
        return ompd_rc_ok;
    if (!taking_find(taking, ompd_cl_kind_svm, pointer, &svm, &rc) ||
        !value_is_known(&svm.state, &state) || state != ompd_cl_state_enqueued)
        return rc;
    if (!finding_begin(&finding, ompd_cl_rule_svm_used, ompd_cl_kind_memobj, info) ||
        !finding_add_other(&finding, ompd_cl_kind_svm, &svm))
        return ompd_rc_ok;
    finding_set(&finding, &finding.address, pointer);
    finding.size = svm.size;
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_frees(struct taking *taking, struct freed *freed)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_svm_free, 0, add_command);

    if (rc != ompd_rc_ok)
        return rc;
    extents_sort(&freed->pointers);
    return check_twice(taking, &freed->pointers);
}

ompd_rc_t svm_use_check(struct taking *taking)
{
    struct freed freed = {.command = 0};
    ompd_rc_t rc;

    taking->rule = &freed;
    rc = check_frees(taking, &freed);
    extents_free(&freed.pointers, taking->space->target.memory);
    return rc == ompd_rc_ok ? taking_walk(taking, ompd_cl_kind_memobj, 0, check_memobj) : rc;
}
