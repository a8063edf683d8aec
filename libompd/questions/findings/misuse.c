/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about uses after release, and user events set twice. */
#include "questions/findings/findings.h"

/* ---- Misuse ---------------------------------------------------------------------------------- */

/* CL_INVALID_OPERATION, as a field has it. */
#define INVALID_OPERATION ((uint64_t)(int64_t)-59)

/* The kind of the object that the call of ERROR uses. */
static uint32_t kind_of_use(const ompd_cl_error_info_t *error, uint64_t call)
{
    const struct enqueue_signature *signature = enqueue_signature_find(call);
    uint64_t argument;

    if (signature == NULL || !value_is_known(&error->argument, &argument))
        return expected_kind(call);
    if (argument == signature->wait_list)
        return ompd_cl_kind_event;
    return argument == signature->kernel ? ompd_cl_kind_kernel : ompd_cl_kind_memobj;
}

static ompd_rc_t add_use_finding(struct row_visit *visit, const ompd_cl_error_info_t *error,
                                 uint64_t call)
{
    ompd_cl_finding_info_t finding;

    finding_begin_error(&finding, ompd_cl_finding_used_after_release, kind_of_use(error, call),
                        error);
    finding.argument = error->argument;
    finding_set_other(&finding, &error->released_lwp, &error->released_caller,
                      &error->released_stack);
    return finding_add(visit, &finding);
}

static ompd_rc_t add_misused_argument(struct row_visit *visit, const ompd_cl_error_info_t *error)
{
    ompd_cl_finding_info_t finding;

    finding_begin_error(&finding, ompd_cl_finding_argument_gone, ompd_cl_kind_kernel, error);
    finding.object = error->kernel;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_memobj);
    finding.other = error->object;
    finding.size = error->size;
    finding.argument = error->argument;
    finding_set(&finding, &finding.count, 1);
    finding_set_other(&finding, &error->released_lwp, &error->released_caller,
                      &error->released_stack);
    return finding_add(visit, &finding);
}

/* The earlier status is known as long as the event exists. */
static ompd_rc_t add_setting_finding(struct row_visit *visit, const ompd_cl_error_info_t *error)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_cl_finding_info_t finding;
    uint64_t number;
    ompd_rc_t rc = ompd_rc_ok;

    finding_begin_error(&finding, ompd_cl_finding_set_twice, ompd_cl_kind_event, error);
    if (value_is_known(&error->object, &number) &&
        row_visit_find(visit, ompd_cl_kind_event, number, &event, &rc)) {
        finding.other_lwp = event.set_by;
        if (value_is_known(&event.error, &number))
            finding.error = event.error;
    }
    if (value_is_known(&error->released_lwp, &number)) {
        finding_set_other(&finding, &error->released_lwp, &error->released_caller,
                          &error->released_stack);
    }
    return rc == ompd_rc_ok ? finding_add(visit, &finding) : rc;
}

static ompd_rc_t check_misuse_error(struct row_visit *visit, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    uint64_t number;
    uint64_t call;

    if (!value_is_known(&error->outcome, &number) || !value_is_known(&error->call, &call))
        return ompd_rc_ok;
    if (number == ompd_cl_mistake_used_after_release)
        return add_use_finding(visit, error, call);
    if (number == ompd_cl_mistake_released_argument)
        return add_misused_argument(visit, error);
    if (number == ompd_cl_mistake_set_again ||
        (number == INVALID_OPERATION && call == ompd_cl_call_clSetUserEventStatus))
        return add_setting_finding(visit, error);
    return ompd_rc_ok;
}

ompd_rc_t misuse_check(struct row_visit *visit)
{
    return error_walk(visit, check_misuse_error, NULL);
}

/* ---- SVM allocations that were freed while mapped -------------------------------------------- */

static ompd_rc_t check_freeing(struct row_visit *visit, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    ompd_cl_finding_info_t finding;
    uint64_t number;

    if (!value_is_known(&error->outcome, &number) || number != ompd_cl_mistake_freed_mapped)
        return ompd_rc_ok;
    finding_begin_error(&finding, ompd_cl_finding_svm_mapped, ompd_cl_kind_svm, error);
    finding_set_other(&finding, &error->released_lwp, &error->released_caller,
                      &error->released_stack);
    return finding_add(visit, &finding);
}

ompd_rc_t svm_mapped_check(struct row_visit *visit)
{
    return error_walk(visit, check_freeing, NULL);
}
