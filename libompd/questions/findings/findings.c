/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* In the order in which findings are given. */
static const struct {
    ompd_rc_t (*check)(struct taking *taking);
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
    {gone_arguments_check, true},
    {svm_mapped_check, true},
    {callback_activity_check, false},
    {builds_check, false},
    {wrong_handles_check, false},
    {late_calls_check, false},
};

static ompd_rc_t check_all(struct taking *taking)
{
    bool has_recorder = address_space_has_recorder(taking->space);
    ompd_rc_t rc = ompd_rc_ok;

    if (!has_recorder)
        taking->kept->unlooked |= UNLOOKED(recorder);
    if (!has_recorder && !found_threads_are_told(taking->space))
        taking->kept->unlooked |= UNLOOKED(callbacks);
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && rc == ompd_rc_ok; i++) {
        if (has_recorder || !rules[i].needs_recorder)
            rc = rules[i].check(taking);
    }
    return rc;
}

/* Tell whether what was found is good for LIST: what could not be read may be there for another
 * list. */
static bool is_good(const struct address_space *space, const struct list *list)
{
    const struct kept_findings *kept = &space->kept->findings;

    return kept->stop == space->target.stop && kept->sources == space->sources &&
           (list->given != 0 || !kept->is_incomplete);
}

/* Have the findings of this stop for LIST.  Returns ompd_rc_ok, or why there are none. */
static ompd_rc_t take_findings(struct address_space *space, const struct list *list)
{
    struct kept_findings *kept = &space->kept->findings;
    struct taking taking = {.space = space, .kept = kept, .is_incomplete = &kept->is_incomplete};
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok || is_good(space, list))
        return rc;
    code_retry(&space->code);
    kept->stop = 0;
    kept->count = 0;
    kept->lost = 0;
    kept->is_incomplete = false;
    kept->unlooked = 0;
    kept->allocator = NULL;
    rc = check_all(&taking);
    if (rc != ompd_rc_ok)
        return rc;
    kept->stop = space->target.stop;
    kept->sources = space->sources;
    return ompd_rc_ok;
}

/* Say what the answer leaves open: what the lists that it was made of do, and what was not looked
 * for. */
static void take_notes(struct address_space *space)
{
    notes_clear(space);
    if (space->layout->inventory.stop == space->target.stop)
        notes_take(space, COVERAGE_MEMOBJS | COVERAGE_DESTRUCTORS);
    notes_take_unlooked(space, space->kept->findings.unlooked, space->kept->findings.allocator);
}

static ompd_rc_t give_findings(struct address_space *space, struct list *list, struct batch *batch)
{
    const struct kept_findings *kept = &space->kept->findings;
    ompd_rc_t rc = take_findings(space, list);

    if (rc != ompd_rc_ok)
        return rc;
    take_notes(space);
    while (list->given < kept->count && batch->count < batch->capacity)
        batch_give(list, batch, &kept->rows[list->given++], ompd_rc_ok);
    list->lost = kept->lost;
    if (kept->is_incomplete)
        list->reason = "not all that findings are told by could be read: there may be more.";
    return ompd_rc_ok;
}

ompd_rc_t finding_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    if (list_open(space, ompd_cl_kind_finding, give_findings, list) == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    return ompd_rc_ok;
}
