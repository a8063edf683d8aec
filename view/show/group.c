/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <view/show/table.h>

#define SMALLEST 64 /* slots */

/* The rows that share a value. */
struct group {
    unsigned char *row; /* the first row, copied */
    uint64_t first;     /* its index among all */
    uint64_t count;
    uint64_t bytes;
    bool is_at_least;        /* the bytes of some rows are unknown, */
    bool has_presumed_bytes; /* or not proved */
    bool is_presumed;        /* the existence of some is not proved */
};

struct groups {
    ompd_view_t *view;
    const struct view_kind *kind;
    const ompd_cl_field_t *field;
    const ompd_cl_field_t *size; /* NULL: rows have no such field */
    struct group *all;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* indexes plus 1, by the value's hash; 0: empty */
    size_t slot_count;
};

static struct view_row group_row(const struct groups *groups, size_t index)
{
    return (struct view_row){groups->kind, groups->all[index].row};
}

static uint64_t group_hash(const struct groups *groups, const struct view_row *row)
{
    struct view_value value = view_cell_field(groups->view, row, groups->field);
    uint64_t hash = value.value * 0x9e3779b97f4a7c15u + value.status;

    for (const char *text = value.text; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* Whether texts with the same beginning are equal. */
static bool is_same_text(ompd_view_t *view, struct view_value left, struct view_value right)
{
    struct text one = {0};
    struct text other = {0};
    bool is_same;

    if (left.length != right.length)
        return false;
    view_text_read(view, left, &one);
    view_text_read(view, right, &other);
    is_same = strcmp(text_get(&one), text_get(&other)) == 0;
    text_free(&one);
    text_free(&other);
    return is_same;
}

static bool group_is_same(const struct groups *groups, const struct view_row *left,
                          const struct view_row *right)
{
    struct view_value a = view_cell_field(groups->view, left, groups->field);
    struct view_value b = view_cell_field(groups->view, right, groups->field);

    return a.status == b.status && a.value == b.value && strcmp(a.text, b.text) == 0 &&
           (a.key == b.key || is_same_text(groups->view, a, b));
}

/* The slot of the group of ROW, or the empty slot for it. */
static uint32_t *group_slot_find(const struct groups *groups, const struct view_row *row)
{
    size_t slot = (size_t)group_hash(groups, row) & (groups->slot_count - 1);

    while (groups->slots[slot] != 0) {
        struct view_row other = group_row(groups, groups->slots[slot] - 1);

        if (group_is_same(groups, row, &other))
            break;
        slot = (slot + 1) & (groups->slot_count - 1);
    }
    return &groups->slots[slot];
}

/* Make room for one more group: at most half of the slots are used. */
static void groups_grow(struct groups *groups)
{
    if (groups->count * 2 < groups->slot_count)
        return;
    groups->slot_count = groups->slot_count != 0 ? groups->slot_count * 2 : SMALLEST;
    heap_free(groups->slots);
    groups->slots = heap_get(groups->slot_count * sizeof(groups->slots[0]));
    groups->all = heap_resize(groups->all, groups->slot_count * sizeof(groups->all[0]));
    for (size_t i = 0; i < groups->count; i++) {
        struct view_row row = group_row(groups, i);

        *group_slot_find(groups, &row) = (uint32_t)i + 1;
    }
}

static bool is_certain(const struct view_row *row)
{
    struct view_value confidence = view_row_value(row, "confidence");

    return !view_value_is_known(confidence) || confidence.value == ompd_cl_confidence_certain;
}

static void group_row_add(struct groups *groups, const struct view_row *row)
{
    uint32_t *slot;
    struct group *group;

    groups_grow(groups);
    slot = group_slot_find(groups, row);
    if (*slot == 0) {
        group = &groups->all[groups->count];
        *group = (struct group){.row = heap_get(row->kind->size), .first = groups->count};
        groups->count++;
        memcpy(group->row, row->bytes, row->kind->size);
        *slot = (uint32_t)groups->count;
    }
    group = &groups->all[*slot - 1];
    group->count++;
    group->is_presumed |= !is_certain(row);
    if (groups->size != NULL) {
        struct view_value size = view_row_field(row, groups->size);

        group->bytes += size.value;
        group->has_presumed_bytes |= size.status == ompd_cl_status_presumed;
        group->is_at_least |= !view_value_is_known(size) || view_value_bound(size)[0] != '\0';
    }
}

/* Most bytes first, then most rows, then in order of appearance. */
static int group_compare(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->first < b->first ? -1 : 1;
}

/* Write the first COUNT groups. */
static void group_table_write(struct view_renderer *renderer, const struct groups *groups,
                              size_t count)
{
    /* All columns, whatever their contents. */
    const struct view_chosen_fields chosen = {.fields = {groups->field}, .count = 1};
    const struct view_table_options options = {.indent = "", .chosen = &chosen};
    struct view_table *table = view_table_begin_empty(renderer, NULL, NULL, &options);

    view_table_add_column(table, NULL, "count", true);
    if (groups->size != NULL)
        view_table_add_column(table, NULL, "bytes", true);
    view_table_add_column(table, groups->field, groups->field->title, false);
    for (size_t i = 0; i < count; i++) {
        const struct group *group = &groups->all[i];
        struct view_row row = group_row(groups, i);
        struct view_cell *cell = view_table_add_line(table)->cells;

        cell->sure = view_sure_proved;
        text_put_number(&cell++->text, group->count);
        if (groups->size != NULL) {
            cell->sure = group->has_presumed_bytes ? view_sure_presumed : view_sure_proved;
            text_put(&cell->text, group->is_at_least ? "at least " : "");
            text_put_number(&cell++->text, group->bytes);
        }
        renderer->cell(renderer, groups->field, &row, cell);
    }
    view_table_end(table);
}

static void group_json_write(ompd_view_t *view, const struct groups *groups)
{
    const char *const keys[] = {groups->field->name, NULL};
    struct text text = {0};

    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->all[i];
        struct view_row row = group_row(groups, i);
        struct json json;

        json_begin_line(&json, &text);
        json_number(&json, "count", (int64_t)group->count);
        if (groups->size != NULL)
            json_number(&json, "bytes", (int64_t)group->bytes);
        if (group->is_at_least)
            json_at_least(&json, "bytes");
        if (group->is_presumed)
            json_presumed(&json, "count");
        if (group->has_presumed_bytes)
            json_presumed(&json, "bytes");
        view_json_fields(view, &json, &row, keys);
        json_end(&json);
        view_json_print(view, &text);
    }
    text_free(&text);
}

/* Record the note below the groups on how certain the existence of ROW's object is. */
static void note_confidence(struct view_renderer *renderer, const struct view_row *row)
{
    struct text reason = {0};
    ompd_cl_confidence_t confidence = view_row_confidence(row, &reason);
    const char *noun = row->kind->noun->singular;

    if (confidence == ompd_cl_confidence_doubtful)
        view_legend_add(&renderer->notes, VIEW_DOUBTFUL, noun, reason.bytes, true);
    else if (confidence == ompd_cl_confidence_presumed)
        view_legend_add(&renderer->notes, VIEW_PRESUMED, noun, VIEW_NOT_PROVED, true);
    text_free(&reason);
}

uint64_t view_groups_write(struct view_renderer *renderer, struct view_list *list,
                           const ompd_cl_field_t *field)
{
    struct groups groups = {
        .view = list->view,
        .kind = list->kind,
        .field = field,
        .size = view_kind_field(list->kind, view_kind_size(list->kind)),
    };
    ompd_view_t *view = list->view;
    struct view_row row;
    size_t shown;

    while (view_list_next(list, &row)) {
        group_row_add(&groups, &row);
        note_confidence(renderer, &row);
    }
    if (groups.count != 0)
        qsort(groups.all, groups.count, sizeof(groups.all[0]), group_compare);
    shown = groups.count;
    if (view->failure == ompd_view_exit_ok && view->options.is_json) {
        group_json_write(view, &groups);
    } else if (view->failure == ompd_view_exit_ok) {
        shown = shown < view->options.limit ? shown : (size_t)view->options.limit;
        group_table_write(renderer, &groups, shown);
    }
    for (size_t i = 0; i < groups.count; i++)
        heap_free(groups.all[i].row);
    heap_free(groups.all);
    heap_free(groups.slots);
    return groups.count - shown;
}
