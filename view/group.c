/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See group.h. */
#include <view/group.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <view/json.h>

#define SMALLEST 64 /* slots */

/* The rows of one value. */
struct group {
    unsigned char *row; /* the first of them: a copy */
    uint64_t first;     /* its place among all */
    uint64_t count;
    uint64_t bytes;
    bool is_at_least;        /* the bytes of some are not known, */
    bool has_presumed_bytes; /* or not proved */
    bool is_presumed;        /* that some of them are there */
};

struct groups {
    const struct view_kind *kind;
    const ompd_cl_field_t *field;
    const ompd_cl_field_t *size; /* NULL: rows have none */
    struct group *all;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* indexes plus 1, by the value's hash; 0: empty */
    size_t slot_count;
};

static struct view_row row_of(const struct groups *groups, size_t index)
{
    return (struct view_row){groups->kind, groups->all[index].row};
}

static uint64_t hash_of(const struct groups *groups, const struct view_row *row)
{
    struct view_value value = view_row_field(row, groups->field);
    uint64_t hash = value.value * 0x9e3779b97f4a7c15u + value.status;

    for (const char *text = value.text; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static bool is_same(const struct groups *groups, const struct view_row *left,
                    const struct view_row *right)
{
    struct view_value a = view_row_field(left, groups->field);
    struct view_value b = view_row_field(right, groups->field);

    return a.status == b.status && a.value == b.value && strcmp(a.text, b.text) == 0;
}

/* The slot of the group that ROW belongs to, or the empty one where that would be. */
static uint32_t *find_slot(const struct groups *groups, const struct view_row *row)
{
    size_t slot = (size_t)hash_of(groups, row) & (groups->slot_count - 1);

    while (groups->slots[slot] != 0) {
        struct view_row other = row_of(groups, groups->slots[slot] - 1);

        if (is_same(groups, row, &other))
            break;
        slot = (slot + 1) & (groups->slot_count - 1);
    }
    return &groups->slots[slot];
}

/* Have room for one more group: at most half of the slots are used. */
static void grow(struct groups *groups)
{
    if (groups->count * 2 < groups->slot_count)
        return;
    groups->slot_count = groups->slot_count != 0 ? groups->slot_count * 2 : SMALLEST;
    view_memory_free(groups->slots);
    groups->slots = view_memory_get(groups->slot_count * sizeof(groups->slots[0]));
    groups->all = view_memory_resize(groups->all, groups->slot_count * sizeof(groups->all[0]));
    for (size_t i = 0; i < groups->count; i++) {
        struct view_row row = row_of(groups, i);

        *find_slot(groups, &row) = (uint32_t)i + 1;
    }
}

static bool is_certain(const struct view_row *row)
{
    struct view_value confidence = view_row_value(row, "confidence");

    return !view_value_is_known(confidence) || confidence.value == ompd_cl_confidence_certain;
}

static void put(struct groups *groups, const struct view_row *row)
{
    uint32_t *slot;
    struct group *group;

    grow(groups);
    slot = find_slot(groups, row);
    if (*slot == 0) {
        group = &groups->all[groups->count];
        *group = (struct group){.row = view_memory_get(row->kind->size), .first = groups->count};
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

/* Most bytes first, then most rows, then as they came. */
static int compare(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->first < b->first ? -1 : 1;
}

/* The count and bytes of a group as cells; with NULL the headings. */
static void add_sums(const struct groups *groups, const struct group *group,
                     struct view_text *cells)
{
    view_text_clear(&cells[0]);
    view_text_clear(&cells[1]);
    if (group == NULL) {
        view_text_put(&cells[0], "count");
        view_text_put(&cells[1], groups->size != NULL ? "bytes" : "");
        return;
    }
    view_text_put_number(&cells[0], group->count);
    if (groups->size != NULL)
        view_text_add(&cells[1], "%s%" PRIu64, group->is_at_least ? "at least " : "", group->bytes);
    if (group->has_presumed_bytes)
        view_text_put(&cells[1], VIEW_PRESUMED);
}

/* Write the line of a group, whose sums are in CELLS. */
static void write_line(struct view_renderer *renderer, const struct groups *groups,
                       const struct group *group, const struct view_text *cells,
                       const size_t *widths)
{
    ompd_view_t *view = renderer->view;
    struct view_text value = {0};

    view_print(view, "%*s  ", (int)widths[0], view_text_get(&cells[0]));
    if (widths[1] != 0)
        view_print(view, "%*s  ", (int)widths[1], view_text_get(&cells[1]));
    if (group == NULL) {
        view_write_styled(view, ompd_view_style_heading, groups->field->title);
    } else {
        struct view_row row = {groups->kind, group->row};

        renderer->cell(renderer, groups->field, &row, &value);
        view_write(view, view_text_get(&value));
        if (group->has_presumed_bytes)
            view_notes_add(&renderer->notes, VIEW_PRESUMED, "bytes", VIEW_NOT_PROVED, false);
        view_row_written(view);
    }
    view_write(view, "\n");
    view_text_free(&value);
}

/* Write the first COUNT groups. */
static void write_table(struct view_renderer *renderer, const struct groups *groups, size_t count)
{
    struct view_text cells[2] = {{0}, {0}};
    size_t widths[2] = {0, 0};

    for (int pass = 0; pass < 2 && count != 0; pass++)
        for (size_t i = 0; i <= count; i++) {
            const struct group *group = i != 0 ? &groups->all[i - 1] : NULL;

            add_sums(groups, group, cells);
            for (size_t j = 0; j < 2; j++)
                widths[j] = cells[j].length > widths[j] ? cells[j].length : widths[j];
            if (pass != 0)
                write_line(renderer, groups, group, cells, widths);
        }
    view_text_free(&cells[0]);
    view_text_free(&cells[1]);
}

static void write_json(ompd_view_t *view, const struct groups *groups)
{
    const char *const keys[] = {groups->field->name, NULL};
    struct view_text text = {0};

    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->all[i];
        struct view_row row = row_of(groups, i);
        struct view_json json;

        view_json_begin(&json, view, &text);
        view_json_number(&json, "count", (int64_t)group->count);
        if (groups->size != NULL)
            view_json_number(&json, "bytes", (int64_t)group->bytes);
        if (group->is_at_least)
            view_json_at_least(&json, "bytes");
        if (group->is_presumed)
            view_json_presumed(&json, "count");
        if (group->has_presumed_bytes)
            view_json_presumed(&json, "bytes");
        view_json_fields(&json, &row, keys);
        view_json_end(&json);
        view_json_print(view, &text);
    }
    view_text_free(&text);
}

uint64_t view_groups_write(struct view_renderer *renderer, struct view_list *list,
                           const ompd_cl_field_t *field)
{
    struct groups groups = {
        .kind = list->kind,
        .field = field,
        .size = view_kind_field(list->kind, "size"),
    };
    ompd_view_t *view = list->view;
    struct view_text number = {0};
    struct view_row row;
    size_t shown;

    while (view_list_next(list, &row)) {
        put(&groups, &row);
        view_text_clear(&number);
        view_cell_number(renderer, 0, &row, &number); /* for the notes alone */
    }
    view_text_free(&number);
    if (groups.count != 0)
        qsort(groups.all, groups.count, sizeof(groups.all[0]), compare);
    shown = groups.count;
    if (view->failure == ompd_view_exit_ok && view->options.is_json) {
        write_json(view, &groups);
    } else if (view->failure == ompd_view_exit_ok) {
        shown = shown < view->options.limit ? shown : (size_t)view->options.limit;
        write_table(renderer, &groups, shown);
    }
    for (size_t i = 0; i < groups.count; i++)
        view_memory_free(groups.all[i].row);
    view_memory_free(groups.all);
    view_memory_free(groups.slots);
    return groups.count - shown;
}
