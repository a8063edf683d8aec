/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

/* The offset of the first field in an info struct: after struct_size and, if present, an id. */
#define OFFSET_BEHIND_ID (sizeof(ompd_size_t) + sizeof(uint64_t))

static struct view_kind kinds[VIEW_KIND_COUNT];

/* Get the fields of all kinds from the library. */
static void kinds_load(void)
{
    for (ompd_cl_kind_t number = 1; number < VIEW_KIND_COUNT; number++) {
        struct view_kind *kind = &kinds[number];

        kind->number = number;
        ompd_cl_noun_get(number, &kind->noun);
        ompd_cl_kind_get(number, &kind->name, &kind->size);
        while (kind->field_count < VIEW_FIELDS &&
               ompd_cl_field_get(number, (uint32_t)kind->field_count,
                                 &kind->fields[kind->field_count]) == ompd_rc_ok)
            kind->field_count++;
        kind->has_id = kind->field_count != 0 && kind->fields[0]->offset >= OFFSET_BEHIND_ID;
    }
}

const struct view_kind *view_kind_get(ompd_cl_kind_t number)
{
    static pthread_once_t are_loaded = PTHREAD_ONCE_INIT;

    pthread_once(&are_loaded, kinds_load);
    return &kinds[number];
}

bool view_kind_is_known(ompd_cl_kind_t number)
{
    return number >= ompd_cl_kind_overview && number < VIEW_KIND_COUNT &&
           view_kind_get(number)->name != NULL;
}

const ompd_cl_field_t *view_kind_field(const struct view_kind *kind, const char *name)
{
    for (size_t i = 0; i < kind->field_count; i++)
        if (view_name_is(kind->fields[i]->name, name))
            return kind->fields[i];
    return NULL;
}

uint64_t view_row_id(const struct view_row *row)
{
    uint64_t id = 0;

    if (row->kind->has_id)
        memcpy(&id, row->bytes + sizeof(ompd_size_t), sizeof(id));
    return id;
}

uint64_t view_row_handle(const struct view_row *row)
{
    switch (row->kind->number) {
    case ompd_cl_kind_destructor:
        return view_row_number(row, "object");
    case ompd_cl_kind_svm:
        return view_row_number(row, "pointer");
    default:
        return view_row_number(row, "handle");
    }
}

struct view_value view_row_field(const struct view_row *row, const ompd_cl_field_t *field)
{
    const unsigned char *place = row->bytes + field->offset;
    ompd_cl_value_t value;

    if (field->type == ompd_cl_type_text) {
        const ompd_cl_text_t *text = (const void *)place;
        return (struct view_value){.status = text->status,
                                   .lwp = text->lwp,
                                   .text = text->text,
                                   .is_text = true,
                                   .key = text->key,
                                   .length = text->length};
    }
    memcpy(&value, place, sizeof(value));
    return (struct view_value){
        .value = value.value, .status = value.status, .lwp = value.lwp, .text = ""};
}

#define PIECE 4096 /* bytes of a text read per call */

bool view_text_read(ompd_view_t *view, struct view_value value, struct text *whole)
{
    size_t before = whole->length;
    ompd_rc_t rc = ompd_rc_ok;
    ompd_size_t count = value.key != 0 ? PIECE : 0;
    char piece[PIECE];

    for (uint64_t offset = 0; rc == ompd_rc_ok && count == PIECE; offset += count) {
        count = 0;
        rc = ompd_cl_text_read(view->use.space, value.key, offset, PIECE, piece, &count);
        text_append(whole, piece, strnlen(piece, count));
    }
    /* A cached row may be older than the text. */
    if (rc != ompd_rc_stale_handle && rc != ompd_rc_bad_input)
        view_check(view, rc);
    if (whole->length == before)
        text_put(whole, value.text);
    return rc == ompd_rc_ok && value.status != ompd_cl_status_at_least &&
           whole->length - before == value.length;
}

struct view_value view_row_value(const struct view_row *row, const char *name)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, name);

    if (field == NULL)
        return (struct view_value){.text = ""};
    return view_row_field(row, field);
}

uint64_t view_row_number(const struct view_row *row, const char *name)
{
    return view_row_value(row, name).value;
}

bool view_value_is_presumed(struct view_value value)
{
    return value.status == ompd_cl_status_presumed ||
           (value.status == ompd_cl_status_at_least && !value.is_text);
}

bool view_value_is_known(struct view_value value)
{
    return value.status == ompd_cl_status_value || value.status == ompd_cl_status_presumed ||
           value.status == ompd_cl_status_at_least;
}

const char *view_value_bound(struct view_value value)
{
    return value.status == ompd_cl_status_at_least && !value.is_text ? "at least " : "";
}

bool view_value_is_absent(struct view_value value)
{
    return value.status == ompd_cl_status_none || value.status == ompd_cl_status_not_applicable;
}

bool view_row_is_unrecorded(const struct view_row *row, struct view_value value)
{
    return value.status == ompd_cl_status_unknown && !view_kind_is_embree(row->kind->number) &&
           view_row_number(row, "source") == ompd_cl_source_layout;
}

void view_value_reason(struct view_value value, struct text *text)
{
    const ompd_cl_name_t *name;

    if (value.text[0] != '\0' && !view_value_is_known(value))
        text_put(text, value.text);
    else if (value.status == ompd_cl_status_changing)
        text_add(text, "being changed by LWP %" PRIu32, value.lwp);
    else if (ompd_cl_name_find(ompd_cl_names_status, value.status, &name) == ompd_rc_ok)
        text_put(text, name->text);
    else
        text_put(text, "unknown");
}

static const ompd_cl_name_t *row_name(const ompd_cl_field_t *field, uint64_t value)
{
    for (uint32_t i = 0; i < field->name_count; i++)
        if (ompd_cl_field_name_at(field, i)->value == value)
            return &field->names[i];
    return NULL;
}

const char *view_field_name(const ompd_cl_field_t *field, uint64_t value)
{
    const ompd_cl_name_t *name = row_name(field, value);

    return name != NULL ? name->name : NULL;
}

void view_field_text_add(const ompd_cl_field_t *field, uint64_t value, struct text *text)
{
    const ompd_cl_name_t *name = row_name(field, value);

    if (name != NULL && name->text != NULL)
        text_put(text, name->text);
    else
        view_field_name_add(field, value, text);
}

void view_field_name_add(const ompd_cl_field_t *field, uint64_t value, struct text *text)
{
    const char *name = view_field_name(field, value);

    if (name != NULL)
        text_put(text, name);
    else
        text_add(text, "%s %" PRId64, field->name, (int64_t)value);
}

void view_row_name(const struct view_row *row, const char *name, struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, name);
    struct view_value value = view_row_value(row, name);

    if (field == NULL || !view_value_is_known(value))
        text_put(text, "?");
    else
        view_field_name_add(field, value.value, text);
}
