/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One object that a layout shows. */
#include "answers/answers.h"

/* Find the item of KIND with HANDLE. Returns NULL if it does not exist or is not shown. */
static const struct inventory_item *find_shown_item(const struct address_space *space,
                                                    uint32_t kind, uint64_t handle)
{
    const struct inventory_item *item = inventory_find(&space->layout->inventory, handle);

    if (item == NULL || (layout_row_objects(kind) >> item->kind & 1) == 0 ||
        (item->marks & inventory_internal) != 0 || !inventory_has_layout(space, item))
        return NULL;
    return item;
}

/* Fill INFO from the SVM allocation at POINTER, if it is in the list of OpenCL context ITEM. */
static ompd_rc_t find_svm_of(struct address_space *space, const struct inventory_item *item,
                             uint64_t pointer, ompd_cl_svm_info_t *info, bool *is_found)
{
    struct container_element element = {.address = 1};
    struct container container;
    bool is_row;
    ompd_rc_t worst;
    ompd_rc_t rc;

    worst = layout_list_begin(space, item, layout_svm, &container);
    for (rc = worst; !rc_is_final(rc) && element.address != 0;) {
        rc = container_next(&container, &space->target, &element);
        if (rc == ompd_rc_ok && element.address != 0) {
            rc = layout_element_fill(space, layout_svm, item, &element, info, &is_row);
            *is_found = info->head.handle.value == pointer;
            if (*is_found || rc_is_final(rc))
                return rc;
        }
        if (rc != ompd_rc_ok)
            worst = rc;
    }
    return rc_is_final(rc) ? rc : worst;
}

/* Fill INFO from the SVM allocation at POINTER. Returns ompd_rc_unavailable when there is none;
 * ompd_rc_incomplete with *IS_FOUND false when it may be in unreadable memory. */
static ompd_rc_t find_svm(struct address_space *space, uint64_t pointer, ompd_cl_svm_info_t *info,
                          bool *is_found)
{
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    uint64_t before = space->target.views;
    ompd_rc_t worst =
        inventory_has_all(&space->layout->inventory) ? ompd_rc_unavailable : ompd_rc_incomplete;
    ompd_rc_t rc;

    *is_found = false;
    rc = sources_mark_recorded(space, layout_row_objects(ompd_cl_kind_svm));
    if (rc_is_final(rc))
        return rc;
    inventory_begin(&space->layout->inventory, &cursor);
    while ((item = inventory_next(&cursor, layout_row_objects(ompd_cl_kind_svm))) != NULL) {
        if (!inventory_is_shown(space, item))
            continue;
        rc = find_svm_of(space, item, pointer, info, is_found);
        if (*is_found || rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            worst = rc;
        if (space->target.views - before > LIST_VIEW_LIMIT) {
            space->target.failure = ompd_cl_status_corrupt;
            return ompd_rc_incomplete;
        }
    }
    return worst;
}

/* Fill INFO of KIND from the object with HANDLE. Returns as find_svm does. */
static ompd_rc_t fill_object(struct address_space *space, uint32_t kind, uint64_t handle,
                             union row *info, bool *is_found)
{
    const struct inventory_item *item;

    if (kind == ompd_cl_kind_svm)
        return find_svm(space, handle, &info->svm, is_found);
    item = find_shown_item(space, kind, handle);
    *is_found = false;
    if (item != NULL)
        return layout_row_fill(space, kind, item, info, is_found);
    return inventory_has_all(&space->layout->inventory) ? ompd_rc_unavailable : ompd_rc_incomplete;
}

ompd_rc_t inventory_object_glance(struct address_space *space, uint32_t kind, uint64_t handle,
                                  enum glance_finding *finding, struct inventory_item *item)
{
    bool has_layouts;
    ompd_rc_t rc;

    *finding = glance_undecided;
    if (kind == ompd_cl_kind_svm || (space->sources & SOURCES_UNCHOSEN) == 0 ||
        space->layout->inventory.stop == space->target.stop)
        return ompd_rc_ok;
    rc = sources_find_layouts(space, &has_layouts);
    if (rc != ompd_rc_ok || !has_layouts)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    rc = glance_at(&space->target, &space->layout->runtimes, handle, finding, item);
    if (rc == ompd_rc_ok && *finding == glance_object &&
        (layout_row_objects(kind) >> item->kind & 1) == 0)
        *finding = glance_nothing;
    return rc;
}

static ompd_rc_t fail_unfound(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_unavailable, "no such object was found.");
}

/* inventory_object_find by a search of memory. */
static ompd_rc_t search_object(struct address_space *space, struct identifier identifier,
                               uint64_t *id)
{
    bool is_found;
    union row row;
    ompd_rc_t rc;

    message_clear(&space->message);
    rc = sources_take_inventory(space);
    if (rc == ompd_rc_incomplete)
        *id = 0;
    if (rc != ompd_rc_ok)
        return rc;
    rc = fill_object(space, identifier.kind, identifier.handle, &row, &is_found);
    if (is_found && !rc_is_final(rc)) {
        *id = identifier_encode(identifier, space->salt);
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_incomplete)
        *id = 0;
    if (rc == ompd_rc_ok || rc == ompd_rc_unavailable)
        return fail_unfound(space);
    if (rc == ompd_rc_incomplete && inventory_is_misfit(&space->layout->inventory))
        return address_space_fail(
            space, rc,
            "no such object was found, but the layout of its runtime may have missed it.");
    return address_space_set_message(space, rc);
}

/*
 * Find the object of KIND with the cl handle or SVM pointer VALUE. Returns ompd_rc_ok with its *ID;
 * ompd_rc_unavailable when there is none; ompd_rc_incomplete with an id of 0 when it may be in
 * unreadable memory; else as sources_take_inventory does.
 */
static ompd_rc_t inventory_object_find(struct address_space *space, uint32_t kind, uint64_t value,
                                       uint64_t *id)
{
    struct identifier identifier = {.kind = kind, .handle = value};
    enum glance_finding finding;
    struct inventory_item item;
    union row row;
    bool is_row = true;
    ompd_rc_t rc = inventory_object_glance(space, kind, value, &finding, &item);

    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    if (rc == ompd_rc_incomplete || finding == glance_undecided)
        return search_object(space, identifier, id);
    if (finding == glance_object)
        rc = layout_row_fill(space, kind, &item, &row, &is_row);
    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    if (finding == glance_nothing || (!is_row && rc == ompd_rc_ok))
        return fail_unfound(space);
    message_clear(&space->message);
    *id = identifier_encode(identifier, space->salt);
    return ompd_rc_ok;
}

static ompd_rc_t fail_stale_object(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_stale_handle, "the object no longer exists.");
}

/* Fill INFO of KIND from the object IDENTIFIER, which a layout shows. Returns as layout_row_fill
 * does; ompd_rc_stale_handle when the object no longer exists; else as sources_take_inventory
 * does. */
static ompd_rc_t inventory_object_get(struct address_space *space, struct identifier identifier,
                                      void *info)
{
    enum glance_finding finding;
    struct inventory_item item;
    bool is_found = false;
    ompd_rc_t rc;

    blank_fill(identifier.kind, info, ompd_cl_source_recorder, ompd_cl_status_unknown);
    rc = inventory_object_glance(space, identifier.kind, identifier.handle, &finding, &item);
    if (rc == ompd_rc_incomplete)
        finding = glance_undecided;
    if (!rc_is_final(rc) && finding == glance_undecided)
        rc = sources_take_inventory(space);
    if (rc != ompd_rc_ok)
        return rc;
    if (finding == glance_undecided)
        rc = fill_object(space, identifier.kind, identifier.handle, info, &is_found);
    else if (finding == glance_object)
        rc = layout_row_fill(space, identifier.kind, &item, info, &is_found);
    if (!is_found && (rc == ompd_rc_ok || rc == ompd_rc_unavailable))
        return fail_stale_object(space);
    return address_space_set_message(space, rc);
}

/* Check that the object IDENTIFIER still exists; a command disappears when it is complete. Returns
 * ompd_rc_ok, also when that cannot be read, which the list then reports; ompd_rc_nomem. */
static ompd_rc_t check_pending_command(struct address_space *space, struct identifier identifier,
                                       bool *is_there)
{
    const struct inventory_item *item = find_shown_item(space, identifier.kind, identifier.handle);
    ompd_rc_t rc = ompd_rc_ok;

    *is_there = item != NULL;
    if (item != NULL && identifier.kind == ompd_cl_kind_svm_free)
        rc = layout_svm_free_is_shown(space, item, is_there);
    if (rc == ompd_rc_incomplete)
        *is_there = true;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t inventory_object_check(struct address_space *space, struct identifier identifier)
{
    ompd_rc_t rc = sources_take_inventory(space);
    bool is_there = true;

    if (rc == ompd_rc_ok && inventory_is_whole(&space->layout->inventory))
        rc = check_pending_command(space, identifier, &is_there);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return address_space_set_message(space, rc);
    if (!is_there)
        return fail_stale_object(space);
    message_clear(&space->message);
    return ompd_rc_ok;
}

/* ---- SVM pointers of a command --------------------------------------------------------------- */

/* The pointers that an SVM-free command frees, which layouts show in an array of the runtime or of
 * the program. Layouts do not show what the command waits for. */

/* Find the array of the command of LIST, and the number of pointers that remain. */
static ompd_rc_t find_pointer_array(struct address_space *space, struct list *list, uint64_t *array,
                                    uint64_t *left)
{
    const struct inventory_item *item =
        inventory_find(&space->layout->inventory, list->found.handle);
    struct layout_fields view;
    ompd_cl_value_t pointers;
    ompd_cl_value_t count;
    bool is_there = false;
    ompd_rc_t rc = ompd_rc_ok;

    *left = 0;
    if (item != NULL && item->kind == layout_event && inventory_has_layout(space, item))
        rc = layout_svm_free_is_shown(space, item, &is_there);
    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_ok && !is_there)
        return inventory_owner_miss(space, list);
    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    layout_fields_get(&view, layout_svm_pointers, &pointers);
    layout_fields_get(&view, layout_svm_pointer_count, &count);
    if (rc_is_final(view.rc))
        return view.rc;
    *array = pointers.value;
    if (pointers.status == ompd_cl_status_unknown || count.status == ompd_cl_status_unknown)
        list_note_lost(list, 0, "the location of a command's SVM pointers is not known.");
    else if (pointers.status != ompd_cl_status_value || count.status != ompd_cl_status_value)
        list_note_lost(list, 0, "the location of a command's SVM pointers could not be read.");
    else if (count.value > CONTAINER_LIMIT || (count.value != 0 && pointers.value == 0))
        list_note_lost(list, 0, "a command's array of SVM pointers is corrupt.");
    else if (count.value > list->found.passed)
        *left = count.value - list->found.passed;
    return ompd_rc_ok;
}

static ompd_rc_t add_pointer_row(struct address_space *space, struct list *list,
                                 struct batch *batch, uint64_t array)
{
    struct target *target = &space->target;
    union row local;
    ompd_cl_svm_pointer_info_t *info = batch_row(batch, &local);
    const uint8_t *bytes;
    uint64_t number = 0;
    ompd_rc_t rc;

    rc = target_view(target, array + list->found.passed * target->pointer_size,
                     target->pointer_size, 0, &bytes);
    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_ok)
        number = target_integer(target, bytes, target->pointer_size);
    layout_row_begin(space, ompd_cl_kind_svm_pointer, info);
    layout_value_read(space, &info->pointer, rc, number, &rc);
    if (kin_is_used(space) && info->pointer.status == ompd_cl_status_value)
        info->pointer.status = ompd_cl_status_presumed;
    list->found.passed++;
    batch_add(list, batch, info, rc);
    return ompd_rc_ok;
}

static ompd_rc_t fill_pointers(struct address_space *space, struct list *list, struct batch *batch)
{
    uint64_t array;
    uint64_t left;
    ompd_rc_t rc;

    rc = sources_take_inventory(space);
    if (rc == ompd_rc_ok && list->missing.reason == NULL)
        rc = find_pointer_array(space, list, &array, &left);
    else
        return rc;
    for (; rc == ompd_rc_ok && left != 0 && batch->count < batch->capacity; left--)
        rc = add_pointer_row(space, list, batch, array);
    return rc;
}

static ompd_rc_t fill_unknown(struct address_space *space, struct list *list, struct batch *batch)
{
    (void)space;
    (void)batch;
    const char *reason = "only the recorder knows the release callbacks of a program.";

    if (list->kind == ompd_cl_kind_wait)
        reason = "only the recorder knows what a command waits for.";
    if (list->kind == ompd_cl_kind_mapping)
        reason = "only the recorder knows where a memory object is mapped.";
    if (list->kind == ompd_cl_kind_access)
        reason = "only the recorder knows what a command touches.";
    if (list->kind == ompd_cl_kind_argument)
        reason = "only the recorder knows the arguments of a kernel.";
    list_note_lost(list, 0, reason);
    return ompd_rc_ok;
}

/* Open a list of the pointers that the SVM-free command with the event HANDLE frees. */
static ompd_rc_t inventory_pointers_open(struct address_space *space, uint64_t handle,
                                         ompd_cl_list_t *id)
{
    struct list *list = list_open(space, ompd_cl_kind_svm_pointer, fill_pointers, id);

    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->found.handle = handle;
    return ompd_rc_ok;
}

/* Open a list of rows of KIND that layouts do not show: a command's waits, or a program's release
 * callbacks. It is empty and incomplete, for a reason. */
static ompd_rc_t inventory_unknown_open(struct address_space *space, uint32_t kind,
                                        ompd_cl_list_t *id)
{
    return list_open(space, kind, fill_unknown, id) != NULL
               ? ompd_rc_ok
               : address_space_set_message(space, ompd_rc_nomem);
}

ompd_rc_t inventory_object_open(struct address_space *space, struct identifier identifier,
                                uint32_t kind, ompd_cl_list_t *list)
{
    bool is_of_callbacks =
        kind == ompd_cl_kind_destructor && identifier.kind != ompd_cl_kind_program;
    enum glance_finding finding = glance_undecided;
    struct inventory_item item;
    ompd_rc_t rc = ompd_rc_ok;

    if (is_of_callbacks)
        rc = inventory_object_glance(space, identifier.kind, identifier.handle, &finding, &item);
    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    if (rc != ompd_rc_ok || finding != glance_object)
        rc = inventory_object_check(space, identifier);
    if (rc != ompd_rc_ok)
        return rc;
    message_clear(&space->message);
    switch (kind) {
    case ompd_cl_kind_destructor:
        if (identifier.kind == ompd_cl_kind_program)
            return inventory_unknown_open(space, kind, list);
        return inventory_destructors_open(space, identifier.handle, list);
    case ompd_cl_kind_svm_pointer:
        return inventory_pointers_open(space, identifier.handle, list);
    default:
        return inventory_unknown_open(space, kind, list);
    }
}

/* ---- The source ------------------------------------------------------------------------------ */

static bool layout_owns_id(struct identifier identifier)
{
    return identifier.handle != 0 && identifier.kind != ompd_cl_kind_thread;
}

static ompd_rc_t layout_find(struct address_space *space, uint32_t kind, uint64_t value,
                             uint64_t *id)
{
    bool has_layouts;
    ompd_rc_t found = sources_find_layouts(space, &has_layouts);
    ompd_rc_t rc = ompd_rc_unavailable;

    if (has_layouts)
        rc = inventory_object_find(space, kind, value, id);
    if (rc != ompd_rc_unavailable || found == ompd_rc_ok)
        return rc;
    if (found == ompd_rc_incomplete)
        *id = 0;
    return address_space_set_message(space, found);
}

static ompd_rc_t layout_get(struct address_space *space, uint32_t kind, uint64_t id,
                            struct identifier identifier, union row *row)
{
    (void)kind;
    (void)id;
    return inventory_object_get(space, identifier, row);
}

const struct source source_layout = {
    .owns_id = layout_owns_id, .fill = inventory_list_fill, .find = layout_find, .get = layout_get};
