/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/taking.h"
#include "lists/list-chain.h"
#include "lists/object-list.h"
#include "session/kept-findings.h"

#include "base/text.h"
#include "base/value.h"
#include "findings/clauses.h"
#include "kinds/fields.h"
#include "lists/activity-list.h"
#include "lists/argument-list.h"
#include "lists/list.h"
#include "lists/object.h"
#include "lists/thread-list.h"
#include "session/sources.h"

#include <string.h>

/* Rows that are looked at at once. */
#define ROWS 16

static ompd_rc_t open_walk(struct address_space *space, uint32_t kind, uint64_t object,
                           ompd_cl_list_t *list)
{
    static const struct object_chain pointers = {
        .link_kind = ompd_cl_kind_svm_pointer,
        .first = ompd_cl_registry_field_pointers,
        .count = ompd_cl_registry_field_pointer_count,
    };
    static const ompd_cl_filter_t in_opencl = {
        .struct_size = sizeof(in_opencl),
        .states = ~(UINT64_C(1) << ompd_cl_state_outside),
    };
    static const struct object_chain events = {
        .link_kind = ompd_cl_kind_wait,
        .first = ompd_cl_registry_field_wait_list,
        .count = ompd_cl_registry_field_wait_count,
    };

    /* Without the recorder those that are in no call are not known, and not needed. */
    if (kind == ompd_cl_kind_thread)
        return thread_list_open(space, address_space_has_recorder(space) ? NULL : &in_opencl, list);
    if (object == 0)
        return object_list_open(space, kind, NULL, list);
    if (kind == ompd_cl_kind_activity)
        return activity_list_open(space, object, list);
    if (kind == ompd_cl_kind_argument)
        return argument_list_open(space, ompd_cl_kind_command, object, list);
    if (kind == ompd_cl_kind_svm_pointer)
        return object_chain_open(space, ompd_cl_kind_svm_free, object, &pointers, list);
    if (kind == ompd_cl_kind_wait)
        return object_chain_open(space, ompd_cl_kind_command, object, &events, list);
    return list_open_table(space, kind, NULL, list);
}

/* The field NAME of ROW of KIND; NULL when it has none. */
static const ompd_cl_value_t *find_value(uint32_t kind, const void *row, const char *name)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        if (strcmp(found->fields[i].name, name) == 0)
            return (const ompd_cl_value_t *)(const void *)((const char *)row +
                                                           found->fields[i].offset);
    }
    return NULL;
}

/* Tell whether ROW of KIND, which only a layout shows, may be one of the UNREADABLE that the
 * recorder has, and of which it knows better. */
static bool may_be_recorded(const struct taking *taking, uint32_t kind, const void *row,
                            ompd_size_t unreadable)
{
    const ompd_cl_value_t *source = find_value(kind, row, "source");

    return unreadable != 0 && address_space_has_recorder(taking->space) && source != NULL &&
           source->value == ompd_cl_source_layout;
}

/* Look at the rows of LIST, of KIND, to its end. */
static ompd_rc_t visit_rows(struct taking *taking, ompd_cl_list_t list, uint32_t kind,
                            row_visit_t visit)
{
    union row rows[ROWS];
    size_t size = kind_find(kind)->struct_size;
    ompd_size_t unreadable;
    ompd_size_t count;

    do {
        ompd_rc_t rc;

        rows[0].struct_size = size;
        rc = list_next(taking->space, list, kind, ROWS, rows, &count, &unreadable);
        *taking->is_incomplete |= rc == ompd_rc_incomplete;
        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
            return rc;
        for (ompd_size_t i = 0; i < count; i++) {
            const void *row = (const char *)rows + i * size;

            if (may_be_recorded(taking, kind, row, unreadable))
                continue;
            rc = visit(taking, row);
            if (rc != ompd_rc_ok)
                return rc;
        }
    } while (count != 0);
    return ompd_rc_ok;
}

ompd_rc_t taking_walk(struct taking *taking, uint32_t kind, uint64_t object, row_visit_t visit)
{
    ompd_cl_list_t list;
    ompd_rc_t rc = open_walk(taking->space, kind, object, &list);

    /* The object that the rows belong to could not be read. */
    if (rc == ompd_rc_device_read_error && object != 0) {
        message_clear(&taking->space->message);
        *taking->is_incomplete = true;
        return ompd_rc_ok;
    }
    if (rc != ompd_rc_ok)
        return rc;
    rc = visit_rows(taking, list, kind, visit);
    list_close(taking->space, list);
    return rc;
}

bool taking_get(struct taking *taking, uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc)
{
    *rc = object_get(taking->space, kind, id, row);
    if (*rc == ompd_rc_ok)
        return true;
    if (!rc_is_final(*rc)) {
        taking->failures++;
        *taking->is_incomplete = true;
        *rc = ompd_rc_ok;
    }
    return false;
}

bool taking_find(struct taking *taking, uint32_t kind, uint64_t handle, void *row, ompd_rc_t *rc)
{
    uint64_t id;

    *rc = object_find(taking->space, kind, handle, &id);
    if (*rc == ompd_rc_ok)
        return taking_get(taking, kind, id, row, rc);
    if (*rc == ompd_rc_incomplete) {
        taking->failures++;
        *taking->is_incomplete = true;
    }
    if (!rc_is_final(*rc))
        *rc = ompd_rc_ok;
    return false;
}

bool value_is_known(const ompd_cl_value_t *value, uint64_t *number)
{
    *number = value->value;
    return value->status == ompd_cl_status_value || value->status == ompd_cl_status_presumed;
}

/* What names the object that a row of KIND is, or is about. */
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

/* The kind of the object that ROW of KIND is, or is about; 0 where its handle alone is known. */
static uint32_t kind_of_object(uint32_t kind, const void *row)
{
    switch (kind) {
    case ompd_cl_kind_svm_free:
        return ompd_cl_kind_queue;
    case ompd_cl_kind_callback:
        return (uint32_t)((const ompd_cl_callback_info_t *)row)->kind.value;
    case ompd_cl_kind_destructor:
        return 0;
    default:
        return kind;
    }
}

/* Tell in FINDING how sure it is that what ROW of KIND shows is there.  False when it is in doubt.
 */
static bool take_confidence(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row)
{
    const ompd_cl_value_t *confidence = find_value(kind, row, "confidence");

    if (confidence == NULL)
        return true;
    if (confidence->value != ompd_cl_confidence_certain)
        finding_presume(finding);
    return confidence->value != ompd_cl_confidence_doubtful;
}

/* Copy the field NAME of ROW of KIND, if it has it and knows it. */
static void copy(uint32_t kind, const void *row, const char *name, ompd_cl_value_t *value)
{
    const ompd_cl_value_t *found = find_value(kind, row, name);

    if (found != NULL)
        *value = *found;
}

bool finding_begin(ompd_cl_finding_info_t *finding, ompd_cl_rule_t rule, uint32_t kind,
                   const void *row)
{
    uint32_t object_kind = row != NULL ? kind_of_object(kind, row) : 0;
    const ompd_cl_value_t *source = row != NULL ? find_value(kind, row, "source") : NULL;
    ompd_cl_source_t from =
        source != NULL ? (ompd_cl_source_t)source->value : ompd_cl_source_recorder;

    blank_fill(ompd_cl_kind_finding, finding, from, ompd_cl_status_not_applicable);
    value_set(&finding->source, from, ompd_cl_status_value, from);
    finding_set(finding, &finding->rule, rule);
    finding_set(finding, &finding->confidence, ompd_cl_confidence_certain);
    if (clause_of(rule) != NULL)
        text_set(&finding->clause, ompd_cl_source_none, clause_of(rule));
    if (row == NULL)
        return true;
    if (object_kind != 0)
        finding_set(finding, &finding->object_kind, object_kind);
    copy(kind, row, name_of_handle(kind), &finding->object);
    copy(kind, row, "lwp", &finding->lwp);
    copy(kind, row, "caller", &finding->caller);
    copy(kind, row, "stack", &finding->stack);
    return take_confidence(finding, kind, row);
}

bool finding_add_other(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row)
{
    if (kind_of_object(kind, row) != 0)
        finding_set(finding, &finding->other_kind, kind_of_object(kind, row));
    copy(kind, row, name_of_handle(kind), &finding->other);
    copy(kind, row, "lwp", &finding->other_lwp);
    copy(kind, row, "caller", &finding->other_caller);
    copy(kind, row, "stack", &finding->other_stack);
    return take_confidence(finding, kind, row);
}

void finding_set(ompd_cl_finding_info_t *finding, ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, (ompd_cl_source_t)finding->source.value, ompd_cl_status_value, number);
}

void finding_presume(ompd_cl_finding_info_t *finding)
{
    finding->confidence.value = ompd_cl_confidence_presumed;
}

/* Findings before one that it is compared with. */
#define LOOK_BACK 256

/* Tell whether the `count` of findings of RULE says how often the mistake was made. */
static bool counts_times(ompd_cl_rule_t rule)
{
    return rule != ompd_cl_rule_exiting && rule != ompd_cl_rule_runtime_released &&
           rule != ompd_cl_rule_runtime_other && rule != ompd_cl_rule_runtime_callbacks;
}

static bool is_same(const ompd_cl_value_t *one, const ompd_cl_value_t *other)
{
    return one->status == other->status && one->value == other->value;
}

/* Tell whether both findings are of one mistake, at the same places of the program. */
static bool is_alike(const ompd_cl_finding_info_t *one, const ompd_cl_finding_info_t *other)
{
    return one->caller.value == other->caller.value && one->rule.value == other->rule.value &&
           is_same(&one->confidence, &other->confidence) && is_same(&one->stack, &other->stack) &&
           is_same(&one->other_caller, &other->other_caller) &&
           is_same(&one->other_stack, &other->other_stack) && is_same(&one->call, &other->call) &&
           is_same(&one->object_kind, &other->object_kind) &&
           is_same(&one->function, &other->function) && is_same(&one->error, &other->error) &&
           is_same(&one->argument, &other->argument);
}

/* The one of the last findings kept that is of the same mistake; NULL: none. */
static ompd_cl_finding_info_t *find_alike(struct kept_findings *kept,
                                          const ompd_cl_finding_info_t *finding)
{
    uint32_t first = kept->count > LOOK_BACK ? kept->count - LOOK_BACK : 0;
    uint64_t caller;

    if (!value_is_known(&finding->caller, &caller) || caller == 0 ||
        !counts_times((ompd_cl_rule_t)finding->rule.value))
        return NULL;
    for (uint32_t i = kept->count; i-- > first;) {
        if (value_is_known(&kept->rows[i].caller, &caller) && is_alike(&kept->rows[i], finding))
            return &kept->rows[i];
    }
    return NULL;
}

static uint64_t times_of(const ompd_cl_finding_info_t *finding)
{
    uint64_t times;

    return value_is_known(&finding->count, &times) ? times : 1;
}

ompd_rc_t finding_keep(struct taking *taking, const ompd_cl_finding_info_t *finding)
{
    struct kept_findings *kept = taking->kept;
    ompd_cl_finding_info_t *alike = find_alike(kept, finding);
    ompd_rc_t rc;

    if (alike != NULL) {
        finding_set(alike, &alike->count, times_of(alike) + times_of(finding));
        return ompd_rc_ok;
    }
    if (kept->count == FINDING_LIMIT) {
        kept->lost++;
        return ompd_rc_ok;
    }
    rc = memory_grow(taking->space->target.memory, &kept->rows, kept->count, &kept->capacity,
                     sizeof(kept->rows[0]));
    if (rc == ompd_rc_ok)
        kept->rows[kept->count++] = *finding;
    return rc;
}
