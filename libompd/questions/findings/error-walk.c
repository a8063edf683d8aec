/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

#include "answers/kept.h"

#define NUMBER_MASK ((UINT64_C(1) << GONE_NUMBER_BITS) - 1)

struct error_walk {
    row_visit_t visit;
    void *rule;     /* of VISIT */
    uint64_t first; /* the lowest number that an error has: from 1, in the order of the errors */
};

static ompd_rc_t visit_error(struct taking *taking, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    struct error_walk *walk = taking->rule;
    uint64_t number;
    ompd_rc_t rc;

    if (value_is_known(&error->order, &number) && (number & NUMBER_MASK) < walk->first)
        walk->first = number & NUMBER_MASK;
    taking->rule = walk->rule;
    rc = walk->visit(taking, row);
    taking->rule = walk;
    return rc;
}

/* The findings from FIRST on have been counted by some of the errors. */
static void count_at_least(const struct kept_rows *kept, uint32_t first)
{
    ompd_cl_finding_info_t *rows = kept->rows;

    for (uint32_t i = first; i < kept->count; i++) {
        if (rows[i].count.status == ompd_cl_status_value)
            rows[i].count.status = ompd_cl_status_at_least;
    }
}

ompd_rc_t error_walk(struct taking *taking, row_visit_t visit)
{
    struct error_walk walk = {.visit = visit, .rule = taking->rule, .first = NUMBER_MASK};
    uint32_t first = taking->kept->count;
    ompd_rc_t rc;

    if (taking->space->recorder->registry.tables[ompd_cl_registry_error].record_size == 0)
        return ompd_rc_ok;
    taking->rule = &walk;
    rc = taking_walk(taking, ompd_cl_kind_error, 0, visit_error);
    taking->rule = walk.rule;
    if (walk.first > 1)
        count_at_least(taking->kept, first);
    return rc;
}
