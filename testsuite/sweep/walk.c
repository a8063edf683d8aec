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

static ompd_rc_t call_next(const struct sweep_walk *walk, const struct sweep_session *session,
                           ompd_cl_list_t list, struct batch *batch)
{
    const uint64_t words[] = {
        (uintptr_t)session->space,     list.id,
        (uint64_t)walk->kind,          CAPACITY,
        (uintptr_t)batch->rows,        (uintptr_t)&batch->count,
        (uintptr_t)&batch->unreadable,
    };
    ompd_rc_t rc;

    memset(batch->rows, SWEEP_FILL, CAPACITY * walk->row_size);
    memcpy(batch->rows, &walk->row_size, sizeof(walk->row_size));
    memset(&batch->count, SWEEP_FILL, sizeof(batch->count));
    memset(&batch->unreadable, SWEEP_FILL, sizeof(batch->unreadable));
    rc = sweep_call(sweep_signature_find("ompd_cl_list_next"), words);
    sweep_require(rc != ompd_rc_bad_input && rc != ompd_rc_incompatible_handle,
                  "a list is walked in a wrong way");
    return rc;
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
    const char *note;

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
    walk->has_note = ompd_cl_note_get(session->space, 0, &note) == ompd_rc_ok && note[0] != '\0';
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

/* The offset of the first field of rows of KIND, after the struct's size and the id. */
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
    return status == ompd_cl_status_unknown || status == ompd_cl_status_at_least ||
           (status >= ompd_cl_status_not_saved && status <= ompd_cl_status_corrupt);
}

/* Whether the field NAME is of one of several places that have a handle. If not all of them could
 * be read, it is of another one, which shows less. */
static bool is_of_place(const char *name)
{
    return strncmp(name, "holder_", strlen("holder_")) == 0;
}

/* Whether TEXT, which is of a field called NAME, is neither EXPECTED nor marked.  Keys are of
 * one session. */
static bool is_text_lie(const char *name, const ompd_cl_text_t *text,
                        const ompd_cl_text_t *expected)
{
    ompd_cl_text_t same = *expected;

    same.key = text->key;
    return !is_marked(text->status) && !is_of_place(name) &&
           (memcmp(text, &same, sizeof(*text)) != 0 || (text->key == 0) != (expected->key == 0));
}

/* The same for VALUE, of a field called NAME. If one source lacks it, another may presume it where
 * the first knew it; and one may be less sure that an object exists. */
static bool is_value_lie(const char *name, const ompd_cl_value_t *value,
                         const ompd_cl_value_t *expected)
{
    if (is_marked(value->status) || is_of_place(name) ||
        memcmp(value, expected, sizeof(*value)) == 0)
        return false;
    if ((strcmp(name, "is_leak") == 0 || strcmp(name, "holding") == 0) &&
        value->status == ompd_cl_status_presumed && expected->status == ompd_cl_status_value)
        return value->value != expected->value;
    /* What could not be searched is what the fault took. */
    if (strcmp(name, "unsaved_bytes") == 0 || strcmp(name, "unreadable_bytes") == 0)
        return false;
    if (strcmp(name, "confidence") == 0 && value->status == expected->status)
        return value->value < expected->value;
    /* Usage that is presumed is a bound: more there is not. */
    if ((strcmp(name, "live") == 0 || strcmp(name, "bytes") == 0) &&
        value->status == ompd_cl_status_presumed)
        return value->value < expected->value;
    if (value->source == expected->source || value->source != ompd_cl_source_layout)
        return true;
    return strcmp(name, "source") != 0 && value->status == ompd_cl_status_value &&
           expected->status == ompd_cl_status_value && value->value != expected->value;
}

const char *sweep_row_find_lie(ompd_cl_kind_t kind, const void *row, const void *clean)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const void *member = (const char *)row + field->offset;
        const void *expected = (const char *)clean + field->offset;

        if (field->type == ompd_cl_type_text ? is_text_lie(field->name, member, expected)
                                             : is_value_lie(field->name, member, expected))
            return field->name;
    }
    return NULL;
}

/* The source of a row of KIND; 0: none. */
static uint64_t source_of(ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        if (strcmp(field->name, "source") == 0)
            return ((const ompd_cl_value_t *)(const void *)((const char *)row + field->offset))
                ->value;
    }
    return 0;
}

/* Ids of one session: 0 is none, and another source has others. */
static bool has_same_id(const struct sweep_walk *walk, const void *row, const void *clean)
{
    uint64_t id = 0;
    uint64_t expected = 0;

    if (first_offset(walk->kind) < sizeof(walk->row_size) + sizeof(id))
        return true;
    memcpy(&id, (const char *)row + sizeof(walk->row_size), sizeof(id));
    memcpy(&expected, (const char *)clean + sizeof(walk->row_size), sizeof(id));
    return id == 0 || id == expected || source_of(walk->kind, row) != source_of(walk->kind, clean);
}

static bool is_row(const struct sweep_walk *walk, size_t i, const struct sweep_walk *clean,
                   size_t place)
{
    return has_same_id(walk, row_at(walk, i), row_at(clean, place)) &&
           sweep_row_find_lie(walk->kind, row_at(walk, i), row_at(clean, place)) == NULL;
}

/* Whether row I, which comes from a layout, is one of CLEAN that came from elsewhere: those
 * come in another order. */
static bool is_shown_otherwise(const struct sweep_walk *walk, size_t i,
                               const struct sweep_walk *clean)
{
    size_t place = 0;

    if (source_of(walk->kind, row_at(walk, i)) != ompd_cl_source_layout)
        return false;
    while (place < clean->count &&
           (source_of(walk->kind, row_at(clean, place)) == ompd_cl_source_layout ||
            !is_row(walk, i, clean, place)))
        place++;
    return place < clean->count;
}

/* The first row of CLEAN from PLACE on that matches row I and is not TAKEN; their count when there
 * is none. */
static size_t find_row(const struct sweep_walk *walk, size_t i, const struct sweep_walk *clean,
                       size_t place, const bool *taken)
{
    while (place < clean->count && (taken[place] || !is_row(walk, i, clean, place)))
        place++;
    return place;
}

/* Whether row I is a command in a wait chain. If a worse end could not be read, the chain continues
 * with another command, which is also waited for. */
static bool is_other_way(const struct sweep_walk *walk, size_t i)
{
    const ompd_cl_wait_step_info_t *step = row_at(walk, i);

    return walk->kind == ompd_cl_kind_wait_step && walk->is_incomplete &&
           step->object_kind.value == ompd_cl_kind_command &&
           step->step.status == ompd_cl_status_at_least;
}

/* Whether row I is a callback whose event may be destroyed: then it is no longer a row. */
static bool is_in_question(const struct sweep_walk *walk, size_t i)
{
    const ompd_cl_callback_info_t *callback = row_at(walk, i);

    return walk->kind == ompd_cl_kind_callback && walk->is_incomplete &&
           is_marked(callback->state.status);
}

/* How many of the rows of WALK are, beyond those of CLEAN. */
static size_t count_in_question(const struct sweep_walk *walk, const struct sweep_walk *clean)
{
    size_t count = 0;

    for (size_t i = 0; i < walk->count; i++)
        count += is_in_question(walk, i);
    return walk->count - clean->count < count ? walk->count - clean->count : count;
}

/* Whether the rows of WALK are of CLEAN, each once and in the same order.  Callbacks that no
 * object led to, and findings about them, come last; chains of waits in another order. */
static bool is_part_of(const struct sweep_walk *walk, const struct sweep_walk *clean, bool *taken)
{
    bool has_apart = (walk->kind == ompd_cl_kind_destructor || walk->kind == ompd_cl_kind_finding ||
                      walk->kind == ompd_cl_kind_wait_step) &&
                     walk->is_incomplete;
    size_t place = 0;

    for (size_t i = 0; i < walk->count; i++) {
        size_t found;

        if (is_shown_otherwise(walk, i, clean))
            continue;
        found = find_row(walk, i, clean, place, taken);
        if (found == clean->count && has_apart)
            found = find_row(walk, i, clean, 0, taken);
        if (found == clean->count && (is_other_way(walk, i) || is_in_question(walk, i)))
            continue;
        if (found == clean->count)
            return false;
        taken[found] = true;
        place = found + 1;
    }
    return true;
}

bool sweep_walk_is_true(const struct sweep_walk *walk, const struct sweep_walk *clean)
{
    bool *taken = calloc(clean->count + 1, sizeof(*taken));
    bool is_part;

    sweep_require(taken != NULL, "no memory for marks of rows");
    is_part = is_part_of(walk, clean, taken);
    free(taken);
    if (!is_part)
        return false;
    /* Missing rows are reported, and so are possible duplicates, one from each source. */
    if (walk->count > clean->count)
        return walk->count - clean->count - count_in_question(walk, clean) <= walk->unreadable;
    return clean->count - walk->count <= walk->unreadable ||
           (walk->is_incomplete && walk->has_note);
}
