/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What belongs to an SVM-free command, as a layout shows it: the pointers that it frees, in an
 * array that the runtime has copied, or the program's own; what it waits for, layouts do not tell.
 */
#include "answers/answers.h"

/* Find the array of the command of LIST, and how many of its pointers are still to be given. */
static ompd_rc_t find_array(struct address_space *space, struct list *list, uint64_t *array,
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
        list_refuse(list, 0, "where a command keeps its SVM pointers is not known.");
    else if (pointers.status != ompd_cl_status_value || count.status != ompd_cl_status_value)
        list_refuse(list, 0, "where a command keeps its SVM pointers could not be read.");
    else if (count.value > CONTAINER_LIMIT || (count.value != 0 && pointers.value == 0))
        list_refuse(list, 0, "a command's array of SVM pointers cannot be as it says.");
    else if (count.value > list->found.passed)
        *left = count.value - list->found.passed;
    return ompd_rc_ok;
}

static ompd_rc_t give_pointer(struct address_space *space, struct list *list, struct batch *batch,
                              uint64_t array)
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
    list->found.passed++;
    batch_give(list, batch, info, rc);
    return ompd_rc_ok;
}

static ompd_rc_t give_pointers(struct address_space *space, struct list *list, struct batch *batch)
{
    uint64_t array;
    uint64_t left;
    ompd_rc_t rc;

    rc = sources_take_inventory(space);
    if (rc == ompd_rc_ok && list->missing.reason == NULL)
        rc = find_array(space, list, &array, &left);
    else
        return rc;
    for (; rc == ompd_rc_ok && left != 0 && batch->count < batch->capacity; left--)
        rc = give_pointer(space, list, batch, array);
    return rc;
}

ompd_rc_t inventory_pointers_open(struct address_space *space, uint64_t handle, ompd_cl_list_t *id)
{
    struct list *list = list_open(space, ompd_cl_kind_svm_pointer, give_pointers, id);

    if (list == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    list->found.handle = handle;
    return ompd_rc_ok;
}

static ompd_rc_t give_untold(struct address_space *space, struct list *list, struct batch *batch)
{
    (void)space;
    (void)batch;
    const char *reason = "only the recorder knows the release callbacks of a program.";

    if (list->kind == ompd_cl_kind_wait)
        reason = "only the recorder knows what a command waits for.";
    if (list->kind == ompd_cl_kind_argument)
        reason = "only the recorder knows the arguments of a kernel.";
    list_refuse(list, 0, reason);
    return ompd_rc_ok;
}

ompd_rc_t inventory_untold_open(struct address_space *space, uint32_t kind, ompd_cl_list_t *id)
{
    return list_open(space, kind, give_untold, id) != NULL
               ? ompd_rc_ok
               : address_space_explain(space, ompd_rc_nomem);
}
