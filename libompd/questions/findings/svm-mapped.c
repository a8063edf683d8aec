/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

static ompd_rc_t check_error(struct taking *taking, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    ompd_cl_finding_info_t finding;
    uint64_t number;

    if (!value_is_known(&error->error, &number) || number != OMPD_CL_ERROR_FREED_MAPPED)
        return ompd_rc_ok;
    finding_begin(&finding, ompd_cl_rule_svm_mapped, ompd_cl_kind_error, NULL);
    finding_set(&finding, &finding.object_kind, ompd_cl_kind_svm);
    finding.object = error->handle;
    finding.call = error->call;
    finding.lwp = error->thread;
    finding.caller = error->caller;
    finding.stack = error->stack;
    finding.other_lwp = error->released_lwp;
    finding.other_caller = error->released_caller;
    finding.other_stack = error->released_stack;
    return finding_keep(taking, &finding);
}

ompd_rc_t svm_mapped_check(struct taking *taking)
{
    return error_walk(taking, check_error);
}
