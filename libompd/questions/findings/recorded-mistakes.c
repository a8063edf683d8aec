/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mistakes that the recorder has seen as calls made them, perhaps long before this stop. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* Whether the commands that make the mistake are still pending, and have a finding for that. The
 * mistake makes it certain. */
static bool is_found_pending(const struct kept_rows *kept, const ompd_cl_finding_info_t *finding)
{
    ompd_cl_finding_info_t *rows = kept->rows;
    uint64_t address;

    if (finding->rule.value != ompd_cl_finding_svm_freed_twice)
        return false;
    for (uint32_t i = 0; i < kept->count; i++) {
        if (rows[i].rule.value == finding->rule.value &&
            value_is_known(&rows[i].address, &address) && address == finding->address.value) {
            rows[i].head.confidence = finding->head.confidence;
            return true;
        }
    }
    return false;
}

/* What a record does not have is not applicable. */
static void settle_value(ompd_cl_value_t *value)
{
    if (value->status == ompd_cl_status_unknown)
        value->status = ompd_cl_status_not_applicable;
}

static ompd_rc_t add_recorded_mistake(struct row_visit *visit, const void *row)
{
    ompd_cl_finding_info_t finding = *(const ompd_cl_finding_info_t *)row;
    const char *clause;
    uint64_t rule;

    /* The rules of a newer recorder. */
    if (!value_is_known(&finding.rule, &rule) || !rule_is_known(rule) ||
        is_found_pending(visit->kept, &finding))
        return ompd_rc_ok;
    settle_value(&finding.parent);
    settle_value(&finding.origin);
    settle_value(&finding.thread);
    settle_value(&finding.runtime_count);
    clause = clause_of_callback((ompd_cl_finding_kind_t)rule, (uint32_t)finding.object_kind.value);
    if (clause != NULL)
        text_set(&finding.clause, ompd_cl_source_none, clause);
    else
        finding.clause.status = ompd_cl_status_not_applicable;
    /* The program may have meant that one thread sets an argument for the other. */
    if (rule == ompd_cl_finding_kernel_shared)
        finding_presume(&finding);
    return finding_add(visit, &finding);
}

ompd_rc_t recorded_mistakes_check(struct row_visit *visit)
{
    if (visit->space->recorder->registry.tables[ompd_cl_registry_mistake].record_size == 0)
        return ompd_rc_ok;
    return row_visit_all(visit, ompd_cl_kind_finding, 0, add_recorded_mistake, NULL);
}
