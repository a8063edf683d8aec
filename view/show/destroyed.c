/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <stdlib.h>
#include <string.h>

/* Whether ADDRESS lies within the SIZE bytes at START. */
static bool is_within(struct view_value start, struct view_value size, uint64_t address)
{
    return view_value_is_known(start) && view_value_is_known(size) &&
           address - start.value < size.value;
}

/* Whether ADDRESS is the handle of ROW or in the part of its memory that the program was allowed
 * to use. */
static bool is_of(const struct view_row *row, uint64_t address)
{
    struct view_value handle = view_row_value(row, "handle");
    struct view_value size = view_row_value(row, "size");

    if (!view_value_is_known(handle))
        return false;
    return handle.value == address ||
           (view_row_number(row, "kind") == ompd_cl_kind_svm && is_within(handle, size, address)) ||
           is_within(view_row_value(row, "host_pointer"), size, address);
}

static void destroyed_row_add(struct view_destroyed *destroyed, const struct view_row *row)
{
    struct view_object *object;

    destroyed->objects =
        heap_grow(destroyed->objects, destroyed->count, sizeof(destroyed->objects[0]));
    object = &destroyed->objects[destroyed->count++];
    object->row.kind = row->kind;
    memcpy(object->bytes, row->bytes, row->kind->size);
}

static int compare_ends(const void *left, const void *right)
{
    const struct view_object *a = left;
    const struct view_object *b = right;
    struct view_row first = {a->row.kind, (const unsigned char *)a->bytes};
    struct view_row second = {b->row.kind, (const unsigned char *)b->bytes};
    uint64_t one = view_row_number(&first, "end_order");
    uint64_t other = view_row_number(&second, "end_order");

    return one == other ? 0 : one > other ? -1 : 1;
}

bool view_destroyed_find(ompd_view_t *view, uint64_t address, struct view_destroyed *destroyed)
{
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, ompd_cl_kind_destroyed, NULL);
    if (!list.is_open) {
        if (view->failure == ompd_view_exit_ok)
            view_add_reason(view, list.rc, &destroyed->reason);
        return view->failure == ompd_view_exit_ok;
    }
    while (view_list_next(&list, &row))
        if (is_of(&row, address))
            destroyed_row_add(destroyed, &row);
    if (list.unreadable != 0)
        view_list_describe_unreadable(&list, &destroyed->reason);
    view_list_close(&list);
    if (destroyed->count != 0)
        qsort(destroyed->objects, destroyed->count, sizeof(destroyed->objects[0]), compare_ends);
    for (size_t i = 0; i < destroyed->count; i++)
        destroyed->objects[i].row.bytes = (const unsigned char *)destroyed->objects[i].bytes;
    return view->failure == ompd_view_exit_ok;
}

void view_destroyed_free(struct view_destroyed *destroyed)
{
    heap_free(destroyed->objects);
    text_free(&destroyed->reason);
    *destroyed = (struct view_destroyed){0};
}

/* Add "a buffer of 4 MiB". */
static void destroyed_noun_add(const struct view_row *row, struct text *text)
{
    struct view_value kind = view_row_value(row, "kind");
    struct view_value size = view_row_value(row, "size");
    const ompd_cl_noun_t *noun;

    if (!view_value_is_known(kind)) {
        text_put(text, "an object");
    } else if (view_value_is_known(view_row_value(row, "memobj_kind"))) {
        struct text name = {0};

        view_row_name(row, "memobj_kind", &name);
        text_add(text, "%s %s", name.bytes[0] == 'i' ? "an" : "a", name.bytes);
        text_free(&name);
    } else {
        noun = view_kind_get((ompd_cl_kind_t)kind.value)->noun;
        text_add(text, "%s %s", noun->article, noun->singular);
    }
    if (view_value_is_known(size)) {
        text_put(text, " of ");
        size_format(text, size.value);
    }
}

/* Add ", made at main at blur.c:12 by LWP 4711", as far as known. */
static void add_call(ompd_view_t *view, const struct view_row *row, const char *verb,
                     const char *caller, const char *lwp, struct text *text)
{
    struct view_value place = view_row_value(row, caller);
    struct view_value thread = view_row_value(row, lwp);

    text_add(text, ", %s", verb);
    if (view_value_is_known(place)) {
        text_put(text, " at ");
        view_site_describe_field(view, row, caller, text);
    }
    if (view_value_is_known(thread)) {
        text_put(text, " by ");
        view_thread_describe(view, thread.value, false, text);
    }
}

/* Add who released the object, or freed the SVM allocation. */
static void add_release(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    bool is_svm = view_row_number(row, "kind") == ompd_cl_kind_svm;

    if (view_value_is_known(view_row_value(row, "released_lwp")))
        add_call(view, row, is_svm ? "freed" : "released", "released_caller", "released_lwp", text);
    else
        text_put(text, is_svm ? ", its free was not recorded" : ", its release was not recorded");
}

/* Add when it was destroyed, and how certain that is. */
static void add_end(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, "ended_at");
    uint64_t ending = view_row_number(row, "ending");

    text_put(text, ending == ompd_cl_ending_later || ending == ompd_cl_ending_reused
                       ? ", found destroyed"
                       : ", destroyed");
    if (view_value_is_known(view_row_value(row, "ended_at"))) {
        text_put(text, " at ");
        view_cell_value(view, field, view_row_value(row, "ended_at"), text);
    }
    if (ending == ompd_cl_ending_callbacks)
        text_put(text, ", after its last destructor callback had returned");
    if (ending == ompd_cl_ending_reused)
        text_put(text, ", when its handle was reused");
}

/* Add ", 3 mappings never unmapped". */
static void add_mappings(const struct view_row *row, struct text *text)
{
    uint64_t count = view_row_number(row, "map_count");

    if (count == 0)
        return;
    text_put(text, ", ");
    count_add(text, count, "mapping", NULL);
    text_put(text, " never unmapped");
}

void view_destroyed_describe(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    destroyed_noun_add(row, text);
    add_call(view, row, "made", "caller", "lwp", text);
    add_mappings(row, text);
    add_release(view, row, text);
    add_end(view, row, text);
}
