/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "svm-pending.h"

#include "inventory-list.h"
#include "layout-view.h"

#define EVENTS (UINT32_C(1) << layout_event)

/* Add the pointers that the command of VIEW frees; false when some cannot be known. */
static bool add_pointers(struct svm_pending *pending, struct layout_view *view)
{
    struct target *target = &view->space->target;
    ompd_cl_value_t pointers;
    ompd_cl_value_t count;
    const uint8_t *bytes;

    layout_view_get(view, layout_svm_pointers, &pointers);
    layout_view_get(view, layout_svm_pointer_count, &count);
    if (pointers.status != ompd_cl_status_value || count.status != ompd_cl_status_value)
        return false;
    for (uint64_t i = 0; i < count.value; i++) {
        if (pending->count == SVM_PENDING_LIMIT ||
            target_view(target, pointers.value + i * target->pointer_size, target->pointer_size, 0,
                        &bytes) != ompd_rc_ok)
            return false;
        pending->pointers[pending->count++] = target_integer(target, bytes, target->pointer_size);
    }
    return true;
}

/* Have the pointers of all commands of this stop. */
static ompd_rc_t collect(struct address_space *space, struct svm_pending *pending)
{
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    struct layout_view view;
    bool is_shown;

    if (pending->stop == space->inventory.stop)
        return ompd_rc_ok;
    *pending = (struct svm_pending){.is_whole = inventory_is_whole(&space->inventory)};
    inventory_begin(&space->inventory, &cursor);
    while ((item = inventory_next(&cursor, EVENTS)) != NULL) {
        ompd_rc_t rc = ompd_rc_ok;

        if (!inventory_has_layout(space, item))
            continue;
        rc = layout_svm_free_is_shown(space, item, &is_shown);
        if (rc == ompd_rc_nomem)
            return rc;
        pending->is_whole &= rc == ompd_rc_ok;
        if (!is_shown)
            continue;
        layout_view_begin(&view, space, layout_object_of(space, item), item->handle);
        pending->is_whole &= add_pointers(pending, &view);
    }
    pending->stop = space->inventory.stop;
    return ompd_rc_ok;
}

ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending)
{
    struct svm_pending *pending = &space->svm_pending;
    ompd_rc_t rc = collect(space, pending);

    *is_pending = false;
    if (rc != ompd_rc_ok)
        return rc;
    for (uint32_t i = 0; i < pending->count; i++) {
        if (pending->pointers[i] == pointer) {
            *is_pending = true;
            return ompd_rc_ok;
        }
    }
    return pending->is_whole ? ompd_rc_ok : ompd_rc_incomplete;
}

ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count)
{
    const struct layout_object *events =
        &space->runtimes.all[item->runtime].layout->objects[layout_event];
    struct inventory_cursor cursor;
    const struct inventory_item *event;
    struct layout_view view;
    ompd_cl_value_t queue;
    bool is_shown;

    *count = 0;
    if (!events->fields[layout_command_type].is_there || !events->fields[layout_status].is_there ||
        !events->fields[layout_queue_of].is_there)
        return ompd_rc_unavailable;
    inventory_begin(&space->inventory, &cursor);
    while ((event = inventory_next(&cursor, EVENTS)) != NULL) {
        ompd_rc_t rc;

        if (event->runtime != item->runtime)
            continue;
        layout_view_begin(&view, space, events, event->handle);
        layout_view_get(&view, layout_queue_of, &queue);
        rc = layout_svm_free_is_shown(space, event, &is_shown);
        if (rc == ompd_rc_ok)
            rc = view.rc;
        if (rc != ompd_rc_ok)
            return rc;
        *count += is_shown && queue.value == item->handle;
    }
    return inventory_is_whole(&space->inventory) ? ompd_rc_ok : ompd_rc_incomplete;
}
