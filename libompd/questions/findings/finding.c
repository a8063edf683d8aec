/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builds findings and adds them to the answer: shared by all rules. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

#include <string.h>

/* The field of a row of KIND that names its object. */
static const char *name_of_handle(uint32_t kind)
{
    switch (kind) {
    case ompd_cl_kind_svm:
        return "pointer";
    case ompd_cl_kind_destructor:
        return "object";
    case ompd_cl_kind_svm_free:
        return "queue";
    default:
        return "handle";
    }
}

/* The kind of the object in ROW of KIND; 0 if only its handle is known. */
static uint32_t kind_of_object(uint32_t kind, const void *row)
{
    switch (kind) {
    case ompd_cl_kind_svm_free:
        return ompd_cl_kind_queue;
    case ompd_cl_kind_callback:
        return (uint32_t)((const ompd_cl_callback_info_t *)row)->object_kind.value;
    case ompd_cl_kind_destructor:
        return 0;
    default:
        return kind;
    }
}

/* Set the confidence of FINDING from ROW of KIND. Returns false when ROW is doubtful. */
static bool read_confidence(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row)
{
    const ompd_cl_value_t *confidence = kind_value(kind, row, "confidence");

    if (confidence == NULL)
        return true;
    if (confidence->value != ompd_cl_confidence_certain)
        finding_presume(finding);
    return confidence->value != ompd_cl_confidence_doubtful;
}

/* Copy the field NAME of ROW of KIND, if it has it and knows it. */
static void copy_field(uint32_t kind, const void *row, const char *name, ompd_cl_value_t *value)
{
    const ompd_cl_value_t *found = kind_value(kind, row, name);

    if (found != NULL)
        *value = *found;
}

bool finding_begin(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule, uint32_t kind,
                   const void *row)
{
    uint32_t object_kind = row != NULL ? kind_of_object(kind, row) : 0;
    const ompd_cl_value_t *source = row != NULL ? kind_value(kind, row, "source") : NULL;
    ompd_cl_source_t from =
        source != NULL ? (ompd_cl_source_t)source->value : ompd_cl_source_recorder;

    blank_fill(ompd_cl_kind_finding, finding, from, ompd_cl_status_not_applicable);
    value_set(&finding->head.source, from, ompd_cl_status_value, from);
    finding_set(finding, &finding->rule, rule);
    finding_set(finding, &finding->head.confidence, ompd_cl_confidence_certain);
    if (clause_of(rule) != NULL)
        text_set(&finding->clause, ompd_cl_source_none, clause_of(rule));
    if (row == NULL)
        return true;
    if (object_kind != 0)
        finding_set(finding, &finding->object_kind, object_kind);
    copy_field(kind, row, name_of_handle(kind), &finding->object);
    copy_field(kind, row, "lwp", &finding->head.lwp);
    copy_field(kind, row, "caller", &finding->head.caller);
    copy_field(kind, row, "stack", &finding->head.stack);
    return read_confidence(finding, kind, row);
}

bool finding_add_other(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row)
{
    if (kind_of_object(kind, row) != 0)
        finding_set(finding, &finding->other_kind, kind_of_object(kind, row));
    copy_field(kind, row, name_of_handle(kind), &finding->other);
    copy_field(kind, row, "lwp", &finding->other_lwp);
    copy_field(kind, row, "caller", &finding->other_caller);
    copy_field(kind, row, "stack", &finding->other_stack);
    return read_confidence(finding, kind, row);
}

void finding_set(ompd_cl_finding_info_t *finding, ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, (ompd_cl_source_t)finding->head.source.value, ompd_cl_status_value, number);
}

void finding_begin_error(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule,
                         uint32_t kind, const ompd_cl_error_info_t *error)
{
    finding_begin(finding, rule, ompd_cl_kind_error, NULL);
    if (kind != 0)
        finding_set(finding, &finding->object_kind, kind);
    finding->object = error->object;
    finding->call = error->call;
    finding->head.lwp = error->head.lwp;
    finding->head.caller = error->head.caller;
    finding->head.stack = error->head.stack;
}

void finding_set_other(ompd_cl_finding_info_t *finding, const ompd_cl_value_t *lwp,
                       const ompd_cl_value_t *caller, const ompd_cl_value_t *stack)
{
    finding->other_lwp = *lwp;
    finding->other_caller = *caller;
    finding->other_stack = *stack;
}

void finding_presume(ompd_cl_finding_info_t *finding)
{
    finding->head.confidence.value = ompd_cl_confidence_presumed;
}

/* Findings before one that it is compared with. */
#define LOOK_BACK 256

/* Return whether the `count` of findings of RULE says how often the mistake was made. */
static bool counts_times(ompd_cl_finding_kind_t rule)
{
    return rule != ompd_cl_finding_exiting && rule != ompd_cl_finding_runtime_released &&
           rule != ompd_cl_finding_runtime_other && rule != ompd_cl_finding_runtime_callbacks;
}

static bool texts_are_same(const ompd_cl_value_t *one, const ompd_cl_value_t *other)
{
    return one->status == other->status && one->value == other->value;
}

/* Whether both findings are of one mistake at the same places of the program. */
static bool findings_are_alike(const ompd_cl_finding_info_t *one,
                               const ompd_cl_finding_info_t *other)
{
    return one->head.caller.value == other->head.caller.value &&
           one->rule.value == other->rule.value &&
           texts_are_same(&one->head.confidence, &other->head.confidence) &&
           texts_are_same(&one->head.stack, &other->head.stack) &&
           texts_are_same(&one->other_caller, &other->other_caller) &&
           texts_are_same(&one->other_stack, &other->other_stack) &&
           texts_are_same(&one->call, &other->call) &&
           texts_are_same(&one->object_kind, &other->object_kind) &&
           texts_are_same(&one->function, &other->function) &&
           texts_are_same(&one->error, &other->error) &&
           texts_are_same(&one->argument, &other->argument);
}

/* The last added finding of the same mistake; NULL if there is none. */
static ompd_cl_finding_info_t *find_same_mistake(const struct kept_rows *kept,
                                                 const ompd_cl_finding_info_t *finding)
{
    ompd_cl_finding_info_t *rows = kept->rows;
    uint32_t first = kept->count > LOOK_BACK ? kept->count - LOOK_BACK : 0;
    uint64_t caller;

    if (!value_is_known(&finding->head.caller, &caller) || caller == 0 ||
        !counts_times((ompd_cl_finding_kind_t)finding->rule.value))
        return NULL;
    for (uint32_t i = kept->count; i-- > first;) {
        if (value_is_known(&rows[i].head.caller, &caller) && findings_are_alike(&rows[i], finding))
            return &rows[i];
    }
    return NULL;
}

static uint64_t finding_times(const ompd_cl_finding_info_t *finding)
{
    uint64_t times;

    return value_is_known(&finding->count, &times) ? times : 1;
}

ompd_rc_t finding_add(struct row_visit *visit, const ompd_cl_finding_info_t *finding)
{
    ompd_cl_finding_info_t presumed = *finding;
    ompd_cl_finding_info_t *alike;

    if (kin_is_used(visit->space))
        finding_presume(&presumed);
    alike = find_same_mistake(visit->kept, &presumed);
    if (alike != NULL) {
        finding_set(alike, &alike->count, finding_times(alike) + finding_times(finding));
        return ompd_rc_ok;
    }
    return kept_rows_add(visit->space, visit->kept, sizeof(*finding), KEPT_LIMIT, &presumed);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

#define NUMBER_MASK ((UINT64_C(1) << GONE_NUMBER_BITS) - 1)

struct error_walk {
    row_visitor_t visitor;
    void *rule; /* of VISIT */
    /* The lowest number that a failure and a mistake has: from 1, in the order of each. */
    uint64_t first_failure;
    uint64_t first_mistake;
};

/* Mistakes have positive numbers in place of an error code. */
static bool error_is_mistake(const ompd_cl_error_info_t *error)
{
    uint64_t outcome;

    return value_is_known(&error->outcome, &outcome) && (int64_t)outcome > 0 &&
           outcome != ompd_cl_mistake_command_failed;
}

static ompd_rc_t visit_walked_error(struct row_visit *visit, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    struct error_walk *walk = visit->rule;
    uint64_t *first = error_is_mistake(error) ? &walk->first_mistake : &walk->first_failure;
    uint64_t number;
    ompd_rc_t rc;

    if (value_is_known(&error->error_order, &number) && (number & NUMBER_MASK) < *first)
        *first = number & NUMBER_MASK;
    visit->rule = walk->rule;
    rc = walk->visitor(visit, row);
    visit->rule = walk;
    return rc;
}

/* Whether earlier ones than that with the number FIRST were dropped; NUMBER_MASK: there are none.
 */
static bool has_dropped(uint64_t first)
{
    return first > 1 && first != NUMBER_MASK;
}

/* The findings from FIRST on have been counted by some of the errors: those of WALK that were not
 * dropped. Only user events that were set twice are also known by failures. */
static void count_at_least(const struct kept_rows *kept, uint32_t first,
                           const struct error_walk *walk)
{
    ompd_cl_finding_info_t *rows = kept->rows;

    for (uint32_t i = first; i < kept->count; i++) {
        bool lacks_failures =
            has_dropped(walk->first_failure) && rows[i].rule.value == ompd_cl_finding_set_twice;

        if (rows[i].count.status == ompd_cl_status_value &&
            (has_dropped(walk->first_mistake) || lacks_failures))
            rows[i].count.status = ompd_cl_status_at_least;
    }
}

ompd_rc_t error_walk(struct row_visit *visit, row_visitor_t visitor, void *rule)
{
    struct error_walk walk = {.visitor = visitor,
                              .rule = rule,
                              .first_failure = NUMBER_MASK,
                              .first_mistake = NUMBER_MASK};
    uint32_t first = visit->kept->count;
    ompd_rc_t rc;

    if (visit->space->recorder->registry.tables[ompd_cl_registry_error].record_size == 0)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_error, 0, visit_walked_error, &walk);
    count_at_least(visit->kept, first, &walk);
    return rc;
}
