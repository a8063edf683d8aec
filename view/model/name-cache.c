/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

struct view_name_cache *view_name_cache_get(ompd_view_t *view)
{
    struct view_name_cache *space = view->spaces;

    while (space != NULL && space->space != view->use.space)
        space = space->next;
    if (space != NULL)
        return space;
    space = heap_get(sizeof(*space));
    space->space = view->use.space;
    space->next = view->spaces;
    view->spaces = space;
    return space;
}

void view_name_cache_list_begin(ompd_view_t *view, const struct view_kind *kind)
{
    struct view_name_cache *space = view_name_cache_get(view);

    if (!view->front_end.takes_expressions)
        return;
    space->last = kind->number;
    space->lists[kind->number].count = 0;
}

void view_name_cache_list_add(ompd_view_t *view, const struct view_row *row)
{
    struct view_shown_list *list = &view_name_cache_get(view)->lists[row->kind->number];

    if (!view->front_end.takes_expressions)
        return;
    list->ids = heap_grow(list->ids, list->count, sizeof(list->ids[0]));
    list->handles = heap_grow(list->handles, list->count, sizeof(list->handles[0]));
    list->ids[list->count] = view_row_id(row);
    list->handles[list->count] = view_row_handle(row);
    list->count++;
}

void view_name_cache_forget(ompd_view_t *view, ompd_address_space_handle_t *handle, bool is_gone)
{
    struct view_name_cache **link = &view->spaces;
    struct view_name_cache *space;

    while (*link != NULL && (*link)->space != handle)
        link = &(*link)->next;
    space = *link;
    if (space == NULL)
        return;
    view_location_cache_free(&space->places);
    if (!is_gone)
        return;
    for (size_t i = 0; i < VIEW_KIND_COUNT; i++) {
        heap_free(space->lists[i].ids);
        heap_free(space->lists[i].handles);
    }
    *link = space->next;
    heap_free(space);
}
