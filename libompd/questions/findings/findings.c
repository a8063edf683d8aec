/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of findings of this stop. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* In the order of findings. */
static const struct {
    ompd_rc_t (*check)(struct row_visit *visit);
    bool needs_recorder;
} rules[] = {
    {memobj_extents_check, false},
    {callback_code_check, false},
    {user_data_check, true},
    {over_release_check, true},
    {misuse_check, true},
    {runtime_differs_check, true},
    {svm_use_check, false},
    {svm_kernels_check, true},
    {destroyed_arguments_check, true},
    {svm_mapped_check, true},
    {callback_activity_check, false},
    {builds_check, false},
    {wrong_handles_check, false},
    {late_calls_check, false},
};

static ompd_rc_t find_findings(struct address_space *space, struct kept_rows *kept)
{
    struct row_visit visit = {.space = space, .kept = kept, .missing = &kept->missing};
    bool has_recorder = address_space_has_recorder(space);
    ompd_rc_t rc = ompd_rc_ok;

    code_retry(&space->code);
    if (!has_recorder)
        kept->missing.unchecked |= UNCHECKED(recorder);
    if (!has_recorder && !found_threads_are_available(space))
        kept->missing.unchecked |= UNCHECKED(callbacks);
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && rc == ompd_rc_ok; i++) {
        if (has_recorder || !rules[i].needs_recorder)
            rc = rules[i].check(&visit);
    }
    return rc;
}

ompd_rc_t finding_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    static const struct question question = {
        .kind = ompd_cl_kind_finding,
        .number = question_findings,
        .parts = COVERAGE_MEMOBJS | COVERAGE_DESTRUCTORS,
        .reason = "some data that findings depend on could not be read; there may be more.",
        .find = find_findings,
    };

    return question_list_open(space, &question, 0, list);
}
