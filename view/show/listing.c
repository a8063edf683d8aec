/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <stdlib.h>
#include <string.h>
#include <view/show/table.h>

/* The first rows of a list, buffered for sorting. If the user has chosen an order, this is all
 * rows; otherwise those that may be all. */
struct beginning {
    const struct view_listing *listing;
    const struct view_list_options *arrangement;
    const struct view_kind *kind;
    unsigned char *bytes; /* row after row */
    size_t count;
    struct view_row next; /* the row after them, in the list's buffer */
    bool has_next;
};

struct ranked {
    struct view_row row;
    const struct view_chosen_fields *order;
    uint64_t rank; /* if there is no such order */
    size_t index;  /* keeps the order of rows of equal rank */
};

static int compare_ranks(const void *left, const void *right)
{
    const struct ranked *a = left;
    const struct ranked *b = right;
    int order = view_order_compare(a->order, &a->row, &b->row);

    if (order != 0)
        return order;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static struct view_row beginning_row(const struct beginning *beginning, size_t index)
{
    return (struct view_row){beginning->kind, beginning->bytes + index * beginning->kind->size};
}

/* The rank of ROW by creation, or by the order of the listing. */
static uint64_t listing_rank(const struct view_listing *listing, const struct view_row *row)
{
    return listing->rank != NULL ? listing->rank(row) : view_row_number(row, "order");
}

/* Sort the rows, which are complete. */
static void beginning_sort(struct beginning *beginning)
{
    const struct view_chosen_fields *order = &beginning->arrangement->order;
    size_t size = beginning->kind->size;
    struct ranked *ranked;
    unsigned char *sorted;

    if (order->count == 0 && view_kind_field(beginning->kind, "order") == NULL)
        return;
    ranked = heap_get(beginning->count * sizeof(ranked[0]));
    sorted = heap_get(beginning->count * size);
    for (size_t i = 0; i < beginning->count; i++) {
        struct view_row row = beginning_row(beginning, i);

        ranked[i] = (struct ranked){row, order, 0, i};
        if (order->count == 0)
            ranked[i].rank = listing_rank(beginning->listing, &row);
    }
    if (beginning->count != 0)
        qsort(ranked, beginning->count, sizeof(ranked[0]), compare_ranks);
    for (size_t i = 0; i < beginning->count; i++)
        memcpy(sorted + i * size, ranked[i].row.bytes, size);
    heap_free(beginning->bytes);
    heap_free(ranked);
    beginning->bytes = sorted;
}

static void beginning_row_add(struct beginning *beginning, const struct view_row *row)
{
    size_t size = beginning->kind->size;

    beginning->bytes = heap_grow(beginning->bytes, beginning->count, size);
    memcpy(beginning->bytes + beginning->count++ * size, row->bytes, size);
}

/* Read the first rows of LIST, at most MOST, and the one after them. */
static void beginning_read(struct beginning *beginning, const struct view_listing *listing,
                           const struct view_list_options *arrangement, struct view_list *list,
                           size_t most)
{
    struct view_row row;

    *beginning =
        (struct beginning){.listing = listing, .arrangement = arrangement, .kind = list->kind};
    if (arrangement->order.count != 0 || listing->is_small)
        most = SIZE_MAX;
    while (beginning->count < most && view_list_next(list, &row))
        beginning_row_add(beginning, &row);
    beginning->has_next = beginning->count == most && view_list_next(list, &beginning->next);
    if (!beginning->has_next)
        beginning_sort(beginning);
}

static void listing_json_write(ompd_view_t *view, const struct view_listing *listing,
                               const struct view_list_options *arrangement, struct view_list *list)
{
    struct beginning beginning;
    struct view_row row;

    beginning_read(&beginning, listing, arrangement, list, VIEW_BLOCK);
    for (size_t i = 0; i < beginning.count; i++) {
        row = beginning_row(&beginning, i);
        view_json_row(view, &row);
    }
    heap_free(beginning.bytes);
    if (beginning.has_next)
        view_json_row(view, &beginning.next);
    while (view_list_next(list, &row))
        view_json_row(view, &row);
    view_json_missing(list);
}

/* Write the rows, at most LIMIT. Returns how many more there are. */
static uint64_t listing_rows_write(struct view_renderer *renderer,
                                   const struct beginning *beginning, struct view_list *list,
                                   uint64_t limit)
{
    struct view_table_options options = {beginning->listing->also, "", true,
                                         &beginning->arrangement->columns};
    struct view_table *table = view_table_begin(renderer, list->kind, &options);
    struct view_row row = beginning->next;
    bool has_row = beginning->has_next;
    size_t held = beginning->count < limit ? beginning->count : (size_t)limit;
    uint64_t more = beginning->count - held;

    if (held != 0)
        view_name_cache_list_begin(list->view, list->kind);
    for (size_t i = 0; i < held; i++) {
        struct view_row first = beginning_row(beginning, i);

        view_table_add(table, &first);
        view_name_cache_list_add(list->view, &first);
    }
    for (uint64_t shown = held; has_row; has_row = view_list_next(list, &row)) {
        if (shown < limit) {
            view_table_add(table, &row);
            view_name_cache_list_add(list->view, &row);
            shown++;
        } else {
            more++;
        }
    }
    view_table_end(table);
    return more;
}

void view_cut_note_write(ompd_view_t *view, const char *indent, uint64_t more)
{
    struct text note = {0};
    unsigned long long all = view->options.limit + more;
    const char *setting = view->front_end.limit_setting;

    count_add(&note, more, "more row is", "more rows are");
    if (setting != NULL)
        text_add(&note, " not shown: `%s %llu` or `%s unlimited` shows all.", setting, all,
                 setting);
    else
        text_add(&note, " not shown: `%slimit %llu` or no limit shows all.",
                 view_option_prefix(view), all);
    view_note_write(view, indent, note.bytes);
    text_free(&note);
}

/* Write the notes that the rows need. True if there were any. */
static void listing_notes_write(struct view_renderer *renderer, const struct view_list *list,
                                uint64_t more)
{
    ompd_view_t *view = renderer->view;
    bool is_empty = list->total == 0 && list->unreadable == 0 && !list->is_short;

    if (view->failure != ompd_view_exit_ok)
        return;
    view_renderer_write_notes(renderer, "");
    if (more != 0)
        view_cut_note_write(view, "", more);
    if (list->unreadable != 0) {
        struct text note = {0};

        view_list_describe_unreadable(list, &note);
        view_note_write(view, "", note.bytes);
        text_free(&note);
    }
    if (is_empty)
        view_print(view, "No %s%s%s.\n", view->options.is_filtered ? "matching " : "",
                   list->kind->noun->plural, list->has_incompleteness ? " were found" : "");
    if (list->has_incompleteness)
        view_incompleteness_write(view, "", &view->incompleteness);
}

static uint64_t listing_table_write(struct view_renderer *renderer,
                                    const struct view_listing *listing,
                                    const struct view_list_options *arrangement,
                                    struct view_list *list)
{
    uint64_t limit = renderer->view->options.limit;
    struct beginning beginning;
    uint64_t more;

    beginning_read(&beginning, listing, arrangement, list, limit < VIEW_BLOCK ? limit : VIEW_BLOCK);
    more = listing_rows_write(renderer, &beginning, list, limit);
    heap_free(beginning.bytes);
    listing_notes_write(renderer, list, more);
    return more;
}

uint64_t view_listing_write(struct view_renderer *renderer, const struct view_listing *listing)
{
    ompd_view_t *view = renderer->view;
    const struct view_kind *kind = view_kind_get(listing->kind);
    struct view_list_options arrangement;
    struct view_list list;
    ompd_cl_filter_t filter;
    uint64_t more = 0;

    if (!view_filter_get(view, kind, &filter) || !view_list_options_get(view, kind, &arrangement))
        return UINT64_MAX;
    filter.queue = listing->queue;
    view_list_open(&list, view, listing->kind, &filter);
    if (arrangement.group.count != 0)
        more = view_groups_write(renderer, &list, arrangement.group.fields[0]);
    else if (view->options.is_json)
        listing_json_write(view, listing, &arrangement, &list);
    else
        more = listing_table_write(renderer, listing, &arrangement, &list);
    if (arrangement.group.count != 0 && view->options.is_json)
        view_json_missing(&list);
    else if (arrangement.group.count != 0)
        listing_notes_write(renderer, &list, more);
    view_list_close(&list);
    if (arrangement.group.count == 0 && !view->options.is_json &&
        view->failure == ompd_view_exit_ok) {
        view_failures_write(view, listing->kind, &filter);
        view_refusals_write(view, listing->kind, &filter);
    }
    if (view->failure != ompd_view_exit_ok || more != 0 || list.unreadable != 0 || list.is_short)
        return UINT64_MAX;
    return list.total;
}
