/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See leak-retains.h. */
#include <view/leak-retains.h>

#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <view/ledger-places.h>
#include <view/rows.h>

void view_leak_retains_take(struct view_leak_retains *retains, const struct view_row *row)
{
    if (retains->count == retains->capacity) {
        retains->capacity = retains->capacity != 0 ? 2 * retains->capacity : 64;
        retains->all = heap_resize(retains->all, retains->capacity * sizeof(retains->all[0]));
    }
    retains->all[retains->count++] =
        (struct view_leaked){view_row_number(row, "handle"), view_row_number(row, "order")};
}

static int compare_leaked(const void *left, const void *right)
{
    const struct view_leaked *one = left;
    const struct view_leaked *other = right;

    if (one->handle != other->handle)
        return one->handle < other->handle ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Keep the entries of the ledger by which objects that leak were retained. */
static void read_retains(const struct view_leak_retains *retains, struct view_list *list,
                         struct view_rows *kept)
{
    struct view_row row;
    size_t size = list->kind->size;
    size_t capacity = 0;

    kept->kind = list->kind;
    while (view_list_next(list, &row)) {
        struct view_leaked key = {view_row_number(&row, "handle"), view_row_number(&row, "order")};

        if (view_row_number(&row, "action") != ompd_cl_action_retained ||
            bsearch(&key, retains->all, retains->count, sizeof(key), compare_leaked) == NULL)
            continue;
        if (kept->count == capacity) {
            capacity = capacity != 0 ? 2 * capacity : 64;
            kept->bytes = heap_resize(kept->bytes, capacity * size);
        }
        memcpy(kept->bytes + kept->count++ * size, row.bytes, size);
    }
}

void view_leak_retains_write(struct view_leak_retains *retains, ompd_view_t *view)
{
    struct view_ledger_places places = {0};
    struct view_rows kept = {0};
    struct view_list list;

    if (retains->count == 0)
        return;
    qsort(retains->all, retains->count, sizeof(retains->all[0]), compare_leaked);
    view_list_open_optional(&list, view, ompd_cl_kind_ledger, NULL);
    if (list.is_open)
        read_retains(retains, &list, &kept);
    view_list_close(&list);
    for (size_t i = 0; i < kept.count; i++) {
        struct view_row row = view_rows_get(&kept, i);

        view_ledger_places_take(&places, &row);
    }
    if (kept.count != 0 && view->failure == ompd_view_exit_ok) {
        view_write(view, "They were also retained:\n");
        view_ledger_places_write(&places, view);
    }
    view_ledger_places_free(&places);
    view_rows_free(&kept);
}

void view_leak_retains_free(struct view_leak_retains *retains)
{
    heap_free(retains->all);
    *retains = (struct view_leak_retains){0};
}
