/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

static bool is_value(const ompd_cl_value_t *value, const ompd_cl_value_t *other)
{
    uint64_t number;

    return value_is_known(value, &number) && other->value == number;
}

/* Tell whether the callback in ROW has been called: it is over, or runs for another object. */
static bool has_been_called(const ompd_cl_destructor_info_t *row,
                            const ompd_cl_finding_info_t *finding)
{
    uint64_t state;

    return value_is_known(&row->state, &state) &&
           (state == ompd_cl_state_done ||
            (state == ompd_cl_state_running && !is_value(&row->object, &finding->object)));
}

static ompd_rc_t look_at(struct taking *taking, const void *row)
{
    const ompd_cl_destructor_info_t *destructor = row;
    ompd_cl_finding_info_t *finding = taking->rule;

    if (finding->other.status == ompd_cl_status_not_applicable &&
        is_value(&destructor->function, &finding->function) &&
        is_value(&destructor->user_data, &finding->address) && has_been_called(destructor, finding))
        finding_add_other(finding, ompd_cl_kind_destructor, row);
    return ompd_rc_ok;
}

ompd_rc_t other_registration_add(struct taking *taking, ompd_cl_finding_info_t *finding)
{
    void *rule = taking->rule;
    ompd_rc_t rc;

    taking->rule = finding;
    rc = taking_walk(taking, ompd_cl_kind_destructor, 0, look_at);
    taking->rule = rule;
    if (rc == ompd_rc_ok && finding->other.status == ompd_cl_status_not_applicable)
        rc = ended_registration_add(taking, finding);
    return rc;
}
