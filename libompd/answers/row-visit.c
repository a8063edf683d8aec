/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Visits rows inside the library: the derived questions use this in place of lists. */
#include "answers/answers.h"

/* Rows that are examined at once. */
#define ROWS 16

static ompd_rc_t open_visited_list(struct address_space *space, uint32_t kind, uint64_t object,
                                   ompd_cl_list_t *list)
{
    static const ompd_cl_filter_t in_opencl = {
        .struct_size = sizeof(in_opencl),
        .states = ~(UINT64_C(1) << ompd_cl_thread_state_outside),
    };

    /* Without the recorder those that are in no call are not known, and not needed. */
    if (kind == ompd_cl_kind_thread)
        return thread_list_open(space, address_space_has_recorder(space) ? NULL : &in_opencl, list);
    if (object == 0)
        return object_list_open(space, kind, NULL, list);
    if (kind == ompd_cl_kind_access)
        return access_list_open(space, ompd_cl_kind_command, object, list);
    if (kind == ompd_cl_kind_activity)
        return activity_list_open(space, object, list);
    if (kind == ompd_cl_kind_argument)
        return argument_list_open(space, ompd_cl_kind_command, object, list);
    if (kind == ompd_cl_kind_svm_pointer)
        return object_chain_open(space, ompd_cl_kind_svm_free, object, &pointer_chain, list);
    if (kind == ompd_cl_kind_command)
        return operation_list_open(space, ompd_cl_kind_semaphore, object, list);
    if (kind == ompd_cl_kind_wait)
        return object_chain_open(space, ompd_cl_kind_command, object, &wait_chain, list);
    return list_open_table(space, kind, NULL, list);
}

/* Whether ROW of KIND, which only a layout shows, may be one of the UNREADABLE rows of the
 * recorder, which knows more. */
static bool may_be_recorded(const struct row_visit *visit, uint32_t kind, const void *row,
                            ompd_size_t unreadable)
{
    const ompd_cl_value_t *source;

    if (unreadable == 0 || !address_space_has_recorder(visit->space))
        return false;
    source = kind_value(kind, row, "source");
    return source != NULL && source->value == ompd_cl_source_layout;
}

/* Examine COUNT ROWS of KIND. */
static ompd_rc_t visit_rows(struct row_visit *visit, uint32_t kind, const union row *rows,
                            ompd_size_t count, ompd_size_t unreadable, row_visitor_t visitor)
{
    size_t size = kind_find(kind)->struct_size;
    ompd_rc_t rc = ompd_rc_ok;

    for (ompd_size_t i = 0; i < count && rc == ompd_rc_ok; i++) {
        const void *row = (const char *)rows + i * size;

        if (!may_be_recorded(visit, kind, row, unreadable))
            rc = visitor(visit, row);
    }
    return rc;
}

/* The result of a walk over rows of KIND that ended with RC. It is no failure if neither a recorder
 * nor the tool reports threads. */
static ompd_rc_t unless_threads_are_unknown(uint32_t kind, ompd_rc_t rc)
{
    return rc == ompd_rc_unavailable && kind == ompd_cl_kind_thread ? ompd_rc_ok : rc;
}

ompd_rc_t row_visit_all(struct row_visit *visit, uint32_t kind, uint64_t object,
                        row_visitor_t visitor, void *rule)
{
    void *outer = visit->rule;
    union row rows[ROWS];
    ompd_size_t unreadable;
    ompd_size_t count;
    ompd_cl_list_t list;
    ompd_rc_t rc = open_visited_list(visit->space, kind, object, &list);

    /* The object that the rows belong to could not be read. */
    if (rc == ompd_rc_device_read_error && object != 0) {
        message_clear(&visit->space->message);
        shortfall_note(visit->missing, true);
        return ompd_rc_ok;
    }
    if (rc != ompd_rc_ok)
        return unless_threads_are_unknown(kind, rc);
    visit->rule = rule;
    do {
        rows[0].struct_size = kind_find(kind)->struct_size;
        rc = list_next(visit->space, list, kind, ROWS, rows, &count, &unreadable);
        shortfall_note(visit->missing, rc == ompd_rc_incomplete);
        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
            rc = visit_rows(visit, kind, rows, count, unreadable, visitor);
    } while (rc == ompd_rc_ok && count != 0);
    visit->rule = outer;
    list_close(visit->space, list);
    return unless_threads_are_unknown(kind, rc);
}

bool row_visit_get(struct row_visit *visit, uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc)
{
    *rc = object_get(visit->space, kind, id, row);
    if (*rc == ompd_rc_ok)
        return true;
    if (!rc_is_final(*rc)) {
        shortfall_note(visit->missing, true);
        *rc = ompd_rc_ok;
    }
    return false;
}

bool row_visit_find(struct row_visit *visit, uint32_t kind, uint64_t handle, void *row,
                    ompd_rc_t *rc)
{
    uint64_t id;

    *rc = object_find(visit->space, kind, handle, &id);
    if (*rc == ompd_rc_ok)
        return row_visit_get(visit, kind, id, row, rc);
    shortfall_note(visit->missing, *rc == ompd_rc_incomplete);
    if (!rc_is_final(*rc))
        *rc = ompd_rc_ok;
    return false;
}

bool value_is_known(const ompd_cl_value_t *value, uint64_t *number)
{
    *number = value->value;
    return value->status == ompd_cl_status_value || value->status == ompd_cl_status_presumed;
}
