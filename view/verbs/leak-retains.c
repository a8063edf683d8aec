/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void view_leak_retains_take(struct view_leak_retains *retains, const struct view_row *row)
{
    retains->all = heap_grow(retains->all, retains->count, sizeof(retains->all[0]));
    retains->all[retains->count++] = (struct view_leaked){.handle = view_row_number(row, "handle"),
                                                          .order = view_row_number(row, "order")};
}

static int compare_leaked(const void *left, const void *right)
{
    const struct view_leaked *one = left;
    const struct view_leaked *other = right;

    if (one->handle != other->handle)
        return one->handle < other->handle ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Count ROW, an entry of LEAKED. Whether its place is shown. */
static bool count_entry(struct view_leaked *leaked, const struct view_row *row)
{
    switch (view_row_number(row, "action")) {
    case ompd_cl_action_created:
        leaked->has_creation = true;
        return false;
    case ompd_cl_action_retained:
        leaked->retained++;
        return true;
    case ompd_cl_action_released:
        leaked->released++;
        return true;
    case ompd_cl_action_refused:
        leaked->released -= leaked->released != 0;
        return false;
    default:
        return false;
    }
}

/* Read the ledger entries that retained and released leaked objects. */
static void read_retains(const struct view_leak_retains *retains, struct view_list *list,
                         struct view_rows *kept)
{
    struct view_row row;
    size_t size = list->kind->size;

    kept->kind = list->kind;
    while (view_list_next(list, &row)) {
        struct view_leaked key = {.handle = view_row_number(&row, "handle"),
                                  .order = view_row_number(&row, "order")};
        struct view_leaked *leaked =
            bsearch(&key, retains->all, retains->count, sizeof(key), compare_leaked);

        if (leaked == NULL || !count_entry(leaked, &row))
            continue;
        kept->bytes = heap_grow(kept->bytes, kept->count, size);
        memcpy(kept->bytes + kept->count++ * size, row.bytes, size);
    }
}

/* Write how many retained references were not released, if all entries are available. */
static void write_sum(const struct view_leak_retains *retains, ompd_view_t *view)
{
    uint64_t taken = 0;
    uint64_t released = 0;

    for (size_t i = 0; i < retains->count; i++) {
        const struct view_leaked *leaked = &retains->all[i];

        if (leaked->retained == 0)
            continue;
        if (!leaked->has_creation) {
            view_write(view, "Entries that the ledger no longer has are not counted.\n");
            return;
        }
        taken += 1 + leaked->retained;
        released += leaked->released;
    }
    if (taken > released)
        view_print(view, "%" PRIu64 " of the %" PRIu64 " references %s never released.\n",
                   taken - released, taken, taken - released == 1 ? "was" : "were");
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
        write_sum(retains, view);
    }
    view_ledger_places_free(&places);
    view_rows_free(&kept);
}

void view_leak_retains_free(struct view_leak_retains *retains)
{
    heap_free(retains->all);
    *retains = (struct view_leak_retains){0};
}
