/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define BATCH 256 /* rows to request at once */

/* Open the list of all rows or, unless ID is 0, of those of the object with ID.  Returns the
 * library's code. */
static ompd_rc_t open_list(struct command_rows *rows, struct command_session *session,
                           ompd_cl_kind_t kind, const ompd_cl_filter_t *filter, uint64_t id)
{
    const char *name;
    ompd_rc_t rc;

    *rows = (struct command_rows){.session = session, .kind = kind};
    ompd_cl_kind_get(kind, &name, &rows->size);
    rc = id != 0 ? ompd_cl_object_list_open(session->space, kind, id, &rows->list)
                 : ompd_cl_list_open(session->space, kind, filter, &rows->list);
    rows->is_open = rc == ompd_rc_ok || rc == ompd_rc_incomplete;
    if (rows->is_open)
        rows->buffer = heap_get(BATCH * rows->size);
    return rc;
}

void command_rows_open(struct command_rows *rows, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    ompd_view_rc_check(session->view, open_list(rows, session, kind, filter, 0));
}

void command_rows_open_optional(struct command_rows *rows, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    ompd_rc_t rc = open_list(rows, session, kind, filter, 0);

    if (rc != ompd_rc_unavailable && rc != ompd_rc_unsupported)
        ompd_view_rc_check(session->view, rc);
}

void command_rows_open_of(struct command_rows *rows, struct command_session *session,
                          ompd_cl_kind_t kind, uint64_t id)
{
    ompd_rc_t rc = open_list(rows, session, kind, NULL, id);

    if (rc != ompd_rc_unavailable && rc != ompd_rc_unsupported)
        ompd_view_rc_check(session->view, rc);
}

/* Fill the buffer.  Returns whether it has rows. */
static bool rows_fetch(struct command_rows *rows)
{
    struct command_session *session = rows->session;
    const ompd_cl_noun_t *noun;
    ompd_rc_t rc;

    rows->count = rows->position = 0;
    if (!rows->is_open)
        return false;
    memcpy(rows->buffer, &rows->size, sizeof(rows->size));
    rc = ompd_cl_list_next(session->space, rows->list, rows->kind, BATCH, rows->buffer,
                           &rows->count, &rows->unreadable);
    ompd_cl_noun_get(rows->kind, &noun);
    rows->total += rows->count;
    if (ompd_view_rc_check(session->view, rc) == ompd_rc_ok && rows->count != 0) {
        command_session_progress_show(session, noun->plural, rows->total, 0);
        return true;
    }
    command_rows_close(rows);
    return false;
}

const void *command_rows_next(struct command_rows *rows)
{
    if (rows->position == rows->count && !rows_fetch(rows))
        return NULL;
    return rows->buffer + rows->position++ * rows->size;
}

void command_rows_close(struct command_rows *rows)
{
    if (rows->is_open)
        ompd_cl_list_close(rows->session->space, rows->list);
    command_progress_end(&rows->session->progress);
    heap_free(rows->buffer);
    rows->is_open = false;
    rows->buffer = NULL;
    rows->count = rows->position = 0;
}

/* The field NAME of rows of KIND, or NULL. */
static const ompd_cl_field_t *field_of(ompd_cl_kind_t kind, const char *name)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

static ompd_cl_value_t value_of(ompd_cl_kind_t kind, const void *row, const char *name)
{
    const ompd_cl_field_t *field = field_of(kind, name);
    ompd_cl_value_t value = {.value = 0};

    if (field != NULL)
        memcpy(&value, (const char *)row + field->offset, sizeof(value));
    return value;
}

uint64_t command_row_number(ompd_cl_kind_t kind, const void *row, const char *name)
{
    return value_of(kind, row, name).value;
}

bool command_row_is_presumed(ompd_cl_kind_t kind, const void *row, const char *name)
{
    return value_of(kind, row, name).status == ompd_cl_status_presumed;
}

/* Whether FIELD of ROW is a thread that the process has had. */
static bool is_of_own(const struct command_session *session, const ompd_cl_field_t *field,
                      const void *row)
{
    ompd_cl_value_t lwp;

    /* The place of an object's handle does not show who created it. */
    if (field->type != ompd_cl_type_lwp || strcmp(field->name, "holder_lwp") == 0)
        return false;
    memcpy(&lwp, (const char *)row + field->offset, sizeof(lwp));
    for (size_t i = 0; i < session->own_count; i++)
        if (lwp.value == (uint64_t)session->own_lwps[i])
            return true;
    return false;
}

bool command_row_is_own(const struct command_session *session, ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;
    bool is_own = session->own_lwps == NULL;

    for (uint32_t i = 0; !is_own && ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++)
        is_own = is_of_own(session, field, row);
    return is_own;
}

const char *command_number_name(ompd_cl_kind_t kind, const char *field, uint64_t number)
{
    const ompd_cl_field_t *known = field_of(kind, field);

    for (uint32_t i = 0; known != NULL && i < known->name_count; i++)
        if (ompd_cl_field_name_at(known, i)->value == number)
            return ompd_cl_field_name_at(known, i)->name;
    return NULL;
}
