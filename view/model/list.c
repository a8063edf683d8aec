/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <string.h>

/* Rows per call: of all objects, and of what belongs to one. */
#define BATCH 256
#define SMALL_BATCH 16

static uint64_t unsaved_reads(const ompd_view_t *view)
{
    return view->use.unsaved_reads != NULL ? *view->use.unsaved_reads : 0;
}

static void list_begin(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind, bool is_long)
{
    *list = (struct view_list){
        .view = view,
        .kind = view_kind_get(kind),
        .capacity = is_long ? BATCH : SMALL_BATCH,
        .is_told = is_long,
        .unsaved_reads = unsaved_reads(view),
    };
}

static void list_opened(struct view_list *list, ompd_rc_t rc)
{
    ompd_view_t *view = list->view;

    list->is_open = rc == ompd_rc_ok || rc == ompd_rc_incomplete;
    if (!list->is_open) {
        list->rc = rc;
        return;
    }
    if (view->list_count < VIEW_LISTS)
        view->lists[view->list_count++] = list->number;
    /* Filled by the library. */
    list->buffer = heap_resize(NULL, list->capacity * list->kind->size);
}

/* Close list NUMBER of VIEW. */
static void close_number(ompd_view_t *view, ompd_cl_list_t number)
{
    for (size_t i = view->list_count; i-- > 0;)
        if (view->lists[i].id == number.id)
            view->lists[i] = view->lists[--view->list_count];
    ompd_cl_list_close(view->use.space, number);
}

void view_lists_close(ompd_view_t *view)
{
    while (view->list_count != 0)
        close_number(view, view->lists[view->list_count - 1]);
}

/* Whether RC says that no source has such rows, neither the recorder nor the front end. */
static bool is_not_told(ompd_rc_t rc)
{
    return rc == ompd_rc_unavailable || rc == ompd_rc_unsupported;
}

void view_list_open_optional(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                             const ompd_cl_filter_t *filter)
{
    ompd_rc_t rc;

    list_begin(list, view, kind, true);
    rc = ompd_cl_list_open(view->use.space, kind, filter, &list->number);
    if (!is_not_told(rc))
        view_check(view, rc);
    list_opened(list, rc);
}

void view_list_open(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                    const ompd_cl_filter_t *filter)
{
    view_list_open_optional(list, view, kind, filter);
    if (is_not_told(list->rc))
        view_check(view, list->rc);
}

void view_list_open_parts(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                          const struct view_row *owner)
{
    ompd_rc_t rc;

    /* Finding a handle requires a search of memory. */
    list_begin(list, view, kind, kind == ompd_cl_kind_reference_site);
    rc = ompd_cl_object_list_open(view->use.space, kind, view_row_id(owner), &list->number);
    view_check(view, rc);
    list_opened(list, rc);
}

/* Report the number of rows so far, unless they are visible. */
static void list_progress_report(const struct view_list *list)
{
    ompd_view_t *view = list->view;

    if (list->is_told && view->front_end.progress != NULL &&
        (list->total > view->options.limit || !view->use.is_seen))
        view->front_end.progress(view->front_end.user_ptr, list->kind->noun->plural, list->total);
}

/* Fill the buffer. True if it has rows. */
static bool list_fetch(struct view_list *list)
{
    ompd_size_t count = 0;
    ompd_size_t unreadable = list->unreadable;
    ompd_rc_t rc;

    list->count = list->position = 0;
    if (!list->is_open || list->view->is_stopped)
        return false;
    memcpy(list->buffer, &list->kind->size, sizeof(list->kind->size));
    rc = ompd_cl_list_next(list->view->use.space, list->number, list->kind->number, list->capacity,
                           list->buffer, &count, &unreadable);
    if (list->is_told)
        view_interrupt_check(list->view);
    if (!view_check(list->view, rc))
        list->rc = rc;
    list->count = count;
    list->total += count;
    list->unreadable = unreadable;
    list_progress_report(list);
    if (count != 0)
        return true;
    list->is_unknown = rc == ompd_rc_incomplete && list->total == 0 && list->unreadable == 0;
    if (list->is_told)
        view_incompleteness_take(list->view);
    list->has_incompleteness = list->is_told && list->view->incompleteness.length != 0;
    list->is_short = list->has_incompleteness && rc == ompd_rc_incomplete;
    view_list_close(list);
    return false;
}

bool view_list_next(struct view_list *list, struct view_row *row)
{
    if (list->position == list->count && !list_fetch(list))
        return false;
    row->kind = list->kind;
    row->bytes = list->buffer + list->position * list->kind->size;
    list->position++;
    return true;
}

void view_list_close(struct view_list *list)
{
    if (list->is_open)
        close_number(list->view, list->number);
    if (list->is_told && list->view->front_end.progress != NULL)
        list->view->front_end.progress(list->view->front_end.user_ptr, NULL, 0);
    list->is_open = false;
    list->count = list->position = 0;
    heap_free(list->buffer);
    list->buffer = NULL;
}

void view_list_describe_unreadable(const struct view_list *list, struct text *text)
{
    count_add(text, list->unreadable, "more row", NULL);
    text_put(text, " could not be read");
    if (unsaved_reads(list->view) > list->unsaved_reads)
        text_put(text, ": not saved in the core");
    text_put(text, ".");
}

ompd_rc_t view_object_get(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t id,
                          struct view_object *object)
{
    void *bytes = object->bytes;

    object->row.kind = view_kind_get(kind);
    object->row.bytes = bytes;
    if (object->row.kind->size > sizeof(object->bytes))
        return ompd_rc_unsupported;
    memcpy(bytes, &object->row.kind->size, sizeof(object->row.kind->size));
    return ompd_cl_object_get(view->use.space, kind, id, bytes);
}

bool view_object_copy(struct view_object *object, ompd_cl_kind_t kind, const void *row)
{
    ompd_size_t size;

    if (!view_kind_is_known(kind) || row == NULL)
        return false;
    *object = (struct view_object){.row = {view_kind_get(kind), (const void *)object->bytes}};
    memcpy(&size, row, sizeof(size));
    /* The fields that an older, shorter struct lacks get status none. */
    memcpy(object->bytes, row, size < sizeof(object->bytes) ? size : sizeof(object->bytes));
    return true;
}

ompd_rc_t view_object_find(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id)
{
    *id = 0;
    return ompd_cl_object_find(view->use.space, kind, handle, id);
}

bool view_object_lookup(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle,
                        struct view_object *object)
{
    uint64_t id;
    ompd_rc_t rc = view_object_find(view, kind, handle, &id);

    if (id == 0 || (rc != ompd_rc_ok && rc != ompd_rc_incomplete))
        return false;
    rc = view_object_get(view, kind, id, object);
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}
