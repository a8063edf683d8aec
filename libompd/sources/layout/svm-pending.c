/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pending SVM frees: what layouts show of SVM-free commands that are not complete. */
#include "sources/layout/layout-source.h"

#define EVENTS (UINT32_C(1) << layout_event)

bool layout_svm_free_is_pending(struct layout_fields *view, ompd_cl_value_t *status)
{
    ompd_cl_value_t type;

    layout_fields_get(view, layout_command_type, &type);
    if (type.status != ompd_cl_status_value || type.value != LAYOUT_COMMAND_SVM_FREE)
        return false;
    layout_fields_get(view, layout_status, status);
    /* CL_COMPLETE is 0; an error is below it, in 32 bits. */
    return status->status != ompd_cl_status_value ||
           (status->value != 0 && (int32_t)status->value > 0);
}

ompd_rc_t layout_svm_free_is_shown(struct address_space *space, const struct inventory_item *item,
                                   bool *is_shown)
{
    struct layout_fields view;
    ompd_cl_value_t status;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    *is_shown = layout_svm_free_is_pending(&view, &status);
    return view.rc;
}

/* Note that there may be more pointers, for the reason RC. */
static ompd_rc_t note_missing(struct svm_pending *pending, const struct target *target,
                              ompd_rc_t rc)
{
    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_incomplete)
        pending->failure = target->failure;
    if (rc != ompd_rc_ok && pending->rest != ompd_rc_incomplete)
        pending->rest = rc;
    return ompd_rc_ok;
}

/* Add the pointers that the command of VIEW frees.  Returns ompd_rc_ok; ompd_rc_unavailable when
 * some cannot be known; ompd_rc_incomplete when memory could not be read; ompd_rc_nomem. */
static ompd_rc_t add_pointers(struct svm_pending *pending, struct layout_fields *view)
{
    struct target *target = &view->space->target;
    ompd_cl_value_t pointers;
    ompd_cl_value_t count;
    const uint8_t *bytes;

    layout_fields_get(view, layout_svm_pointers, &pointers);
    layout_fields_get(view, layout_svm_pointer_count, &count);
    if (pointers.status != ompd_cl_status_value || count.status != ompd_cl_status_value)
        return view->rc != ompd_rc_ok ? view->rc : ompd_rc_unavailable;
    for (uint64_t i = 0; i < count.value; i++) {
        ompd_rc_t rc;

        if (pending->count == SVM_PENDING_LIMIT)
            return ompd_rc_unavailable;
        rc = target_view(target, pointers.value + i * target->pointer_size, target->pointer_size, 0,
                         &bytes);
        if (rc != ompd_rc_ok)
            return rc;
        pending->pointers[pending->count++] = target_integer(target, bytes, target->pointer_size);
    }
    return ompd_rc_ok;
}

/* Record the result of reading event ITEM. Returns ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t note_read(struct svm_pending *pending, const struct target *target,
                           const struct inventory_item *item, ompd_rc_t rc)
{
    if (rc == ompd_rc_incomplete)
        pending->unread[item->runtime] = target->failure;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Count a command for its QUEUE. */
static void count_pending_free(struct svm_pending *pending, uint32_t runtime, uint64_t queue)
{
    uint32_t i = 0;

    while (i < pending->queue_count &&
           (pending->queues[i].handle != queue || pending->queues[i].runtime != runtime))
        i++;
    if (i == SVM_QUEUE_LIMIT) {
        pending->has_more_queues = true;
        return;
    }
    if (i == pending->queue_count)
        pending->queues[pending->queue_count++] =
            (struct svm_queue){.handle = queue, .runtime = runtime};
    pending->queues[i].count++;
}

/* Add the command of event ITEM to its queue. */
static ompd_rc_t add_to_queue(struct address_space *space, const struct inventory_item *item,
                              struct svm_pending *pending)
{
    struct layout_fields view;
    ompd_cl_value_t queue;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    layout_fields_get(&view, layout_queue_of, &queue);
    if (queue.status == ompd_cl_status_value)
        count_pending_free(pending, item->runtime, queue.value);
    return note_read(pending, &space->target, item, view.rc);
}

/* Add the pointers of event ITEM if its command is to free any. */
static ompd_rc_t add_free_event(struct address_space *space, const struct inventory_item *item,
                                struct svm_pending *pending)
{
    struct layout_fields view;
    bool is_shown;
    ompd_rc_t rc;

    rc = layout_svm_free_is_shown(space, item, &is_shown);
    if (note_read(pending, &space->target, item, rc) != ompd_rc_ok ||
        note_missing(pending, &space->target, rc) != ompd_rc_ok)
        return ompd_rc_nomem;
    if (!is_shown)
        return ompd_rc_ok;
    rc = add_to_queue(space, item, pending);
    if (rc != ompd_rc_ok)
        return rc;
    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    return note_missing(pending, &space->target, add_pointers(pending, &view));
}

/* Collect the pending frees of all commands of this stop. Returns ompd_rc_ok; ompd_rc_unavailable
 * if memory was not searched for them; ompd_rc_nomem. */
static ompd_rc_t collect_pending(struct address_space *space, struct svm_pending *pending)
{
    const struct inventory *inventory = &space->layout->inventory;
    struct inventory_cursor cursor;
    const struct inventory_item *item;

    if (inventory->stop != space->target.stop)
        return ompd_rc_unavailable;
    if (pending->stop == inventory->stop)
        return ompd_rc_ok;
    *pending = (struct svm_pending){.rest = ompd_rc_ok};
    if (!inventory_has_all(inventory)) {
        pending->rest = ompd_rc_incomplete;
        pending->failure = inventory_failure(inventory);
    }
    inventory_begin(inventory, &cursor);
    while ((item = inventory_next(&cursor, EVENTS)) != NULL) {
        if (inventory_has_layout(space, item) && add_free_event(space, item, pending) != ompd_rc_ok)
            return ompd_rc_nomem;
    }
    pending->stop = inventory->stop;
    return ompd_rc_ok;
}

ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending)
{
    struct svm_pending *pending = &space->layout->svm_pending;
    ompd_rc_t rc = collect_pending(space, pending);

    *is_pending = false;
    if (rc != ompd_rc_ok)
        return rc;
    for (uint32_t i = 0; i < pending->count; i++) {
        if (pending->pointers[i] == pointer) {
            *is_pending = true;
            return ompd_rc_ok;
        }
    }
    if (pending->rest == ompd_rc_incomplete)
        space->target.failure = pending->failure;
    return pending->rest;
}

/* Whether it is known which queue an event belongs to, and whether it is counted. */
static bool tells_queues(const struct layout_object *events)
{
    return events->fields[layout_command_type].is_there && events->fields[layout_status].is_there &&
           events->fields[layout_queue_of].is_there;
}

ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count)
{
    struct svm_pending *pending = &space->layout->svm_pending;
    ompd_rc_t rc;

    *count = 0;
    if (!tells_queues(&space->layout->runtimes.all[item->runtime].layout->objects[layout_event]))
        return ompd_rc_unavailable;
    rc = collect_pending(space, pending);
    if (rc != ompd_rc_ok)
        return rc;
    if (pending->unread[item->runtime] != 0) {
        space->target.failure = pending->unread[item->runtime];
        return ompd_rc_incomplete;
    }
    for (uint32_t i = 0; i < pending->queue_count; i++) {
        if (pending->queues[i].handle == item->handle &&
            pending->queues[i].runtime == item->runtime)
            *count = pending->queues[i].count;
    }
    return *count == 0 && pending->has_more_queues ? ompd_rc_unavailable : ompd_rc_ok;
}
