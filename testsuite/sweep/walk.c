/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "walk.h"

#include "caller.h"
#include "require.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 3 /* so that a walk takes several calls */
#define ROW_LIMIT 65536
#define TRIES 2

/* Out parameters of one call. */
struct batch {
    uint8_t *rows;
    ompd_size_t count;
    ompd_size_t unreadable;
};

static const struct sweep_signature *find_next(ompd_cl_kind_t kind)
{
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        const struct sweep_signature *signature = &sweep_signatures[i];
        unsigned rows = sweep_argument_find(signature, sweep_out_rows);

        if (rows < signature->count && signature->arguments[rows].rows == (uint32_t)kind)
            return signature;
    }
    sweep_require(false, "a kind of rows has no function that gives the next");
    return NULL;
}

static ompd_rc_t call_next(const struct sweep_walk *walk, const struct sweep_session *session,
                           ompd_cl_list_t list, struct batch *batch)
{
    const uint64_t words[] = {
        (uintptr_t)session->space,
        list.id,
        CAPACITY,
        (uintptr_t)batch->rows,
        (uintptr_t)&batch->count,
        (uintptr_t)&batch->unreadable,
    };

    memset(batch->rows, SWEEP_FILL, CAPACITY * walk->row_size);
    memcpy(batch->rows, &walk->row_size, sizeof(walk->row_size));
    memset(&batch->count, SWEEP_FILL, sizeof(batch->count));
    memset(&batch->unreadable, SWEEP_FILL, sizeof(batch->unreadable));
    return sweep_call(find_next(walk->kind), words);
}

static bool is_filled(const void *memory, size_t size)
{
    const uint8_t *bytes = memory;

    while (size != 0 && bytes[size - 1] == SWEEP_FILL)
        size--;
    return size == 0;
}

static bool is_untouched(const struct sweep_walk *walk, const struct batch *batch)
{
    const size_t head = sizeof(walk->row_size);

    return is_filled(&batch->count, sizeof(batch->count)) &&
           is_filled(&batch->unreadable, sizeof(batch->unreadable)) &&
           memcmp(batch->rows, &walk->row_size, head) == 0 &&
           is_filled(batch->rows + head, CAPACITY * walk->row_size - head);
}

static void keep_rows(struct sweep_walk *walk, const struct batch *batch)
{
    size_t size = (walk->count + batch->count) * walk->row_size;

    sweep_require(batch->count <= CAPACITY && walk->count < ROW_LIMIT,
                  "a list gives more rows than there can be");
    walk->rows = realloc(walk->rows, size + 1);
    sweep_require(walk->rows != NULL, "no memory for rows");
    memcpy(walk->rows + walk->count * walk->row_size, batch->rows, batch->count * walk->row_size);
    walk->count += batch->count;
    walk->unreadable = batch->unreadable;
}

void sweep_walk_take(struct sweep_walk *walk, struct sweep_tool *tool,
                     const struct sweep_session *session, ompd_cl_list_t list, ompd_cl_kind_t kind)
{
    struct batch batch = {.count = 1};
    unsigned tries = TRIES;
    const char *name;

    memset(walk, 0, sizeof(*walk));
    walk->kind = kind;
    sweep_require(ompd_cl_kind_get(kind, &name, &walk->row_size) == ompd_rc_ok,
                  "there is no such kind of rows");
    batch.rows = malloc(CAPACITY * walk->row_size);
    sweep_require(batch.rows != NULL, "no memory for rows");
    while (batch.count != 0) {
        ompd_rc_t rc = call_next(walk, session, list, &batch);

        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete) {
            walk->is_incomplete |= rc == ompd_rc_incomplete;
            keep_rows(walk, &batch);
            continue;
        }
        walk->has_touched |= !is_untouched(walk, &batch);
        if (walk->error == ompd_rc_ok)
            walk->error = rc;
        if (tries-- == 0) {
            walk->has_failed_after = true;
            break;
        }
        if (tries == 0)
            sweep_tool_repair(tool);
    }
    free(batch.rows);
}

void sweep_walk_free(struct sweep_walk *walk)
{
    free(walk->rows);
    memset(walk, 0, sizeof(*walk));
}

static const void *row_at(const struct sweep_walk *walk, size_t i)
{
    return walk->rows + i * walk->row_size;
}

/* Where the first field of rows of KIND lies: what is before it is the struct's size and the id. */
static size_t first_offset(ompd_cl_kind_t kind)
{
    const ompd_cl_field_t *field;

    sweep_require(ompd_cl_field_get(kind, 0, &field) == ompd_rc_ok, "a kind has no fields");
    return field->offset;
}

bool sweep_walk_equals(const struct sweep_walk *a, const struct sweep_walk *b)
{
    size_t offset = first_offset(a->kind);

    if (a->count != b->count || a->kind != b->kind)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (memcmp((const char *)row_at(a, i) + offset, (const char *)row_at(b, i) + offset,
                   a->row_size - offset) != 0)
            return false;
    }
    return true;
}

static bool is_marked(uint16_t status)
{
    return status == ompd_cl_status_unknown ||
           (status >= ompd_cl_status_not_saved && status <= ompd_cl_status_corrupt);
}

const char *sweep_row_find_lie(ompd_cl_kind_t kind, const void *row, const void *clean)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const char *member = (const char *)row + field->offset;
        const char *expected = (const char *)clean + field->offset;
        bool is_text = field->type == ompd_cl_type_text;
        uint16_t status;

        memcpy(&status,
               member +
                   (is_text ? offsetof(ompd_cl_text_t, status) : offsetof(ompd_cl_value_t, status)),
               sizeof(status));
        if (!is_marked(status) &&
            memcmp(member, expected, is_text ? sizeof(ompd_cl_text_t) : sizeof(ompd_cl_value_t)) !=
                0)
            return field->name;
    }
    return NULL;
}

/* Ids of one session: 0 is none. */
static bool has_same_id(const struct sweep_walk *walk, const void *row, const void *clean)
{
    uint64_t id = 0;
    uint64_t expected = 0;

    if (first_offset(walk->kind) < sizeof(walk->row_size) + sizeof(id))
        return true;
    memcpy(&id, (const char *)row + sizeof(walk->row_size), sizeof(id));
    memcpy(&expected, (const char *)clean + sizeof(walk->row_size), sizeof(id));
    return id == 0 || id == expected;
}

bool sweep_walk_is_true(const struct sweep_walk *walk, const struct sweep_walk *clean)
{
    size_t place = 0;

    for (size_t i = 0; i < walk->count; i++) {
        while (place < clean->count &&
               (!has_same_id(walk, row_at(walk, i), row_at(clean, place)) ||
                sweep_row_find_lie(walk->kind, row_at(walk, i), row_at(clean, place)) != NULL))
            place++;
        if (place++ == clean->count)
            return false;
    }
    return clean->count - walk->count <= walk->unreadable;
}
