/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: the function of a callback is not code. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

ompd_rc_t callback_code_find(struct row_visit *visit, uint64_t function, bool *is_gone)
{
    struct address_space *space = visit->space;
    ompd_rc_t rc;

    code_doubt_forget(&space->code);
    *is_gone = !code_is_there(&space->code, &space->target, function);
    rc = code_doubt_check(&space->code, &space->target);
    if (rc == ompd_rc_incomplete) {
        shortfall_note(visit->missing, true);
        rc = ompd_rc_ok;
    }
    return rc;
}

/* Return whether FUNCTION, of a callback in STATE, is to run, or runs, and surely no code. */
static ompd_rc_t lacks_code(struct row_visit *visit, const ompd_cl_value_t *function,
                            const ompd_cl_value_t *state, bool *is_gone)
{
    uint64_t address;
    uint64_t number;

    *is_gone = false;
    if (!value_is_known(function, &address) || address == 0 || !value_is_known(state, &number) ||
        number == ompd_cl_callback_state_done || number == ompd_cl_svm_free_state_failed)
        return ompd_rc_ok;
    return callback_code_find(visit, address, is_gone);
}

/* Add a finding about the callback in ROW of KIND if its function is not code. */
static ompd_rc_t check_code(struct row_visit *visit, uint32_t kind, const void *row,
                            const ompd_cl_value_t *function, const ompd_cl_value_t *state,
                            const ompd_cl_value_t *running_lwp)
{
    ompd_cl_finding_info_t finding;
    uint64_t lwp;
    bool is_gone;
    ompd_rc_t rc = lacks_code(visit, function, state, &is_gone);

    if (rc != ompd_rc_ok || !is_gone ||
        !finding_begin(&finding, ompd_cl_finding_callback_code, kind, row))
        return rc;
    finding.function = *function;
    text_set(
        &finding.clause, ompd_cl_source_none,
        clause_of_callback(ompd_cl_finding_callback_code, (uint32_t)finding.object_kind.value));
    if (function->status == ompd_cl_status_presumed)
        finding_presume(&finding);
    if (state->value == ompd_cl_svm_free_state_running && value_is_known(running_lwp, &lwp))
        finding.thread = *running_lwp;
    return finding_add(visit, &finding);
}

static ompd_rc_t check_destructor_code(struct row_visit *visit, const void *row)
{
    const ompd_cl_destructor_info_t *info = row;
    uint64_t object;

    /* A callback whose object cannot be read may be in another row with its object, from a
     * layout. */
    if (!value_is_known(&info->object, &object)) {
        shortfall_note(visit->missing, true);
        return ompd_rc_ok;
    }
    return check_code(visit, ompd_cl_kind_destructor, info, &info->function, &info->state,
                      &info->running_lwp);
}

static ompd_rc_t check_svm_free_code(struct row_visit *visit, const void *row)
{
    const ompd_cl_svm_free_info_t *info = row;

    return check_code(visit, ompd_cl_kind_svm_free, info, &info->function, &info->state,
                      &info->running_lwp);
}

static ompd_rc_t check_callback_code(struct row_visit *visit, const void *row)
{
    const ompd_cl_callback_info_t *info = row;

    return check_code(visit, ompd_cl_kind_callback, info, &info->function, &info->state,
                      &info->running_lwp);
}

ompd_rc_t callback_code_check(struct row_visit *visit)
{
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_destructor, 0, check_destructor_code, NULL);

    if (rc == ompd_rc_ok)
        rc = row_visit_all(visit, ompd_cl_kind_svm_free, 0, check_svm_free_code, NULL);
    if (rc == ompd_rc_ok && address_space_has_recorder(visit->space))
        rc = row_visit_all(visit, ompd_cl_kind_callback, 0, check_callback_code, NULL);
    return rc;
}
