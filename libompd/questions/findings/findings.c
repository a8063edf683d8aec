/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of findings of this stop. */
#include "questions/findings/findings.h"

#include "answers/kept.h"
#include "sources/embree/embree.h"

/* What a rule is about. */
enum rule_scope { of_opencl, of_recorder, of_embree };

/* In the order of findings. */
static const struct {
    ompd_rc_t (*check)(struct row_visit *visit);
    enum rule_scope scope;
} rules[] = {
    {memobj_extents_check, of_opencl},
    {callback_code_check, of_opencl},
    {transfer_memory_check, of_recorder},
    {user_data_check, of_recorder},
    {over_release_check, of_recorder},
    {misuse_check, of_recorder},
    {runtime_differs_check, of_recorder},
    {svm_use_check, of_opencl},
    {svm_commands_check, of_recorder},
    {destroyed_arguments_check, of_recorder},
    {svm_mapped_check, of_recorder},
    {recorded_mistakes_check, of_recorder},
    {callback_activity_check, of_opencl},
    {unflushed_commands_check, of_recorder},
    {builds_check, of_opencl},
    {wrong_handles_check, of_opencl},
    {late_calls_check, of_opencl},
    {embree_callbacks_check, of_embree},
    {embree_buffers_check, of_embree},
    {embree_vertices_check, of_embree},
    {embree_errors_check, of_embree},
    {embree_monitors_check, of_embree},
};

/* What the target has, as bits 1 << enum rule_scope. */
static ompd_rc_t find_scopes(struct address_space *space, struct shortfall *missing,
                             uint32_t *scopes)
{
    bool has_embree = false;
    bool has_opencl = sources_have_opencl(space, missing);
    ompd_rc_t rc = embree_source_is_there(space, &has_embree);

    *scopes = (uint32_t)has_opencl << of_opencl | (uint32_t)has_embree << of_embree |
              (uint32_t)(has_opencl && address_space_has_recorder(space)) << of_recorder;
    return rc;
}

static ompd_rc_t find_findings(struct address_space *space, struct kept_rows *kept)
{
    struct row_visit visit = {.space = space, .kept = kept, .missing = &kept->missing};
    uint32_t scopes;
    ompd_rc_t rc = find_scopes(space, &kept->missing, &scopes);
    bool lacks_recorder = (scopes >> of_opencl & 1) != 0 && (scopes >> of_recorder & 1) == 0;

    code_retry(&space->code);
    if (lacks_recorder)
        kept->missing.unchecked |= UNCHECKED(recorder);
    if (lacks_recorder && !found_threads_are_available(space))
        kept->missing.unchecked |= UNCHECKED(callbacks);
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && rc == ompd_rc_ok; i++) {
        if ((scopes >> rules[i].scope & 1) != 0)
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
        .is_of_all = true,
        .is_of_embree_too = true,
        .find = find_findings,
    };

    return question_list_open(space, &question, 0, list);
}
