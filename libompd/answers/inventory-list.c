/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of objects that layouts show. A list's position is a handle, not an index in the inventory
 * of one stop: at the next stop it continues behind that handle. */
#include "answers/answers.h"

#define BIT(kind) (UINT32_C(1) << layout_##kind)
#define MEMOBJS (BIT(buffer) | BIT(image) | BIT(pipe))

/* The kinds of objects that provide rows of LIST at its position. */
static uint32_t list_object_kinds(const struct list *list)
{
    uint32_t kinds = layout_row_objects(list->kind);

    if (list->kind != ompd_cl_kind_destructor || list->found.is_of_one)
        return kinds;
    return list->found.is_second ? kinds & ~MEMOBJS : MEMOBJS;
}

/* Begin at the first item of INVENTORY with HANDLE or above. */
static void seek_handle(const struct inventory *inventory, uint64_t handle,
                        struct inventory_cursor *cursor)
{
    inventory_begin(inventory, cursor);
    while (cursor->block != NULL && cursor->block->count != 0 &&
           cursor->block->items[cursor->block->count - 1].handle < handle)
        cursor->block = cursor->block->next;
    if (cursor->block == NULL)
        return;
    while (cursor->index < cursor->block->count &&
           cursor->block->items[cursor->index].handle < handle)
        cursor->index++;
}

/* ---- Position of a list ---------------------------------------------------------------------- */

/* The current object of LIST, if it still exists and can have such rows. */
static const struct inventory_item *find_owner(const struct address_space *space,
                                               const struct list *list)
{
    const struct inventory_item *item =
        list->found.is_glanced ? &list->found.owner
                               : inventory_find(&space->layout->inventory, list->found.handle);

    return item != NULL && (list_object_kinds(list) >> item->kind & 1) != 0 &&
                   inventory_has_layout(space, item)
               ? item
               : NULL;
}

ompd_rc_t inventory_owner_miss(struct address_space *space, struct list *list)
{
    if (inventory_is_whole(&space->layout->inventory))
        return address_space_fail(space, ompd_rc_stale_handle,
                                  "the object that owns this list no longer exists.");
    list_note_lost(list, 0, "the object that owns this list cannot be read.");
    return ompd_rc_ok;
}

/* Check that the object of LIST, a list of one object that is not at its end, exists. */
static ompd_rc_t check_list_owner(struct address_space *space, struct list *list)
{
    struct inventory_walk *walk = &list->found;
    ompd_rc_t rc;

    if (!walk->is_of_one || (walk->is_begun && !walk->is_within) || find_owner(space, list) != NULL)
        return ompd_rc_ok;
    rc = inventory_owner_miss(space, list);
    if (rc != ompd_rc_ok)
        return rc;
    walk->is_begun = true;
    walk->is_within = false;
    return ompd_rc_ok;
}

/* The next item that rows of LIST come from, NULL at the end. */
static const struct inventory_item *next_list_item(const struct address_space *space,
                                                   struct list *list)
{
    struct inventory_walk *walk = &list->found;
    const struct inventory_item *item;

    if (walk->is_of_one) {
        item = walk->is_begun ? NULL : find_owner(space, list);
        walk->is_begun = true;
        return item;
    }
    do {
        item = inventory_next(&walk->cursor, list_object_kinds(list));
        if (item == NULL && list->kind == ompd_cl_kind_destructor && !walk->is_second) {
            walk->is_second = true;
            walk->handle = 0;
            inventory_begin(&space->layout->inventory, &walk->cursor);
            item = inventory_next(&walk->cursor, list_object_kinds(list));
        }
    } while (item != NULL && !inventory_is_shown(space, item));
    return item;
}

/* Which list of an object has the elements that rows of KIND are. */
static enum layout_list list_of_kind(uint32_t kind)
{
    return kind == ompd_cl_kind_svm ? layout_svm : layout_destructors;
}

/* Whether the loss of rows of ITEM is reported. A doubtful object is probably not an object, so its
 * loss is reported only by a list of that object. */
static bool is_loss_reported(const struct list *list, const struct inventory_item *item)
{
    return list->found.is_of_one || item->confidence != ompd_cl_confidence_doubtful;
}

/* Count COUNT rows of ITEM as lost. */
static void lose_rows(struct list *list, const struct inventory_item *item, uint64_t count)
{
    if (is_loss_reported(list, item))
        list->missing.lost += count;
}

/* The reason why an unknown number of rows of KIND is missing. */
static const char *missing_reason(uint32_t kind)
{
    return kind == ompd_cl_kind_svm ? "the SVM allocations of an OpenCL context could not be read, "
                                      "or were changing at this stop."
                                    : "the destructor callbacks of an object could not be read, or "
                                      "were changing at this stop.";
}

/* Add the row at INFO, built from ITEM with RC. Unreadable fields of a doubtful object are marked,
 * but do not make the answer incomplete. */
static void add_row_of_item(const struct list *list, struct batch *batch,
                            const struct inventory_item *item, const void *info, ompd_rc_t rc)
{
    batch_add(list, batch, info, item->confidence == ompd_cl_confidence_doubtful ? ompd_rc_ok : rc);
}

/* Account for a new row of LIST. The recorder may have returned it before without its object, which
 * could not be read. */
static void count_again(struct list *list)
{
    if (list->destructors.ownerless == 0)
        return;
    list->destructors.ownerless--;
    list->missing.lost++;
}

/* After ompd_rc_nomem the same call continues from the same position. */
static ompd_rc_t lose_position(struct inventory_walk *walk)
{
    walk->is_lost = true;
    return ompd_rc_nomem;
}

/* Begin to walk the list of ITEM, at element number `passed`. */
static ompd_rc_t enter_item(struct address_space *space, struct list *list,
                            const struct inventory_item *item)
{
    struct inventory_walk *walk = &list->found;
    struct container *container = &walk->container;
    ompd_rc_t rc = layout_list_begin(space, item, list_of_kind(list->kind), container);
    struct container_element element = {.address = 1};

    if (rc == ompd_rc_incomplete && is_loss_reported(list, item))
        list_note_lost(list, 0, missing_reason(list->kind));
    while (rc == ompd_rc_ok && element.address != 0 && container->passed < walk->passed) {
        rc = container_next(container, &space->target, &element);
        if (rc == ompd_rc_incomplete)
            rc = ompd_rc_ok;
    }
    if (rc_is_final(rc))
        return rc;
    walk->item = item;
    walk->is_within = rc == ompd_rc_ok;
    return ompd_rc_ok;
}

/* Restore the position of LIST, in the list of an object or behind it, after another stop or out of
 * memory. */
static ompd_rc_t restore_position(struct address_space *space, struct list *list)
{
    struct inventory_walk *walk = &list->found;
    const struct inventory_item *item = find_owner(space, list);
    ompd_rc_t rc = ompd_rc_ok;

    if (!walk->is_of_one)
        seek_handle(&space->layout->inventory, walk->handle + (walk->handle != 0), &walk->cursor);
    if (walk->is_within && item != NULL && (walk->is_of_one || inventory_is_shown(space, item))) {
        rc = enter_item(space, list, item);
    } else {
        walk->is_within = false;
        walk->passed = 0;
    }
    walk->is_lost = rc != ompd_rc_ok;
    return rc;
}

/* Whether the callbacks of LIST are unknown: the layout does not show them, or the runtime has
 * taken them out of their object. */
static bool callbacks_are_unknown(const struct address_space *space, const struct list *list)
{
    const struct inventory_item *item = find_owner(space, list);
    const struct layout_object *layout = item != NULL ? layout_object_of(space, item) : NULL;

    return layout != NULL && (layout->absent >> layout_destructors & 1) == 0 &&
           (layout->lists[layout_destructors].shape == layout_no_list ||
            (item->marks & inventory_deferred) != 0);
}

/* Find the object of LIST at this stop without a search, if that suffices. */
static ompd_rc_t glance_at_owner(struct address_space *space, struct list *list)
{
    struct inventory_walk *walk = &list->found;
    enum glance_finding finding;
    ompd_rc_t rc = inventory_object_glance(space, list->kind, walk->handle, &finding, &walk->owner);

    walk->is_glanced = rc == ompd_rc_ok && finding == glance_object &&
                       !deferred_destructors_are_possible(
                           &space->target, layout_object_of(space, &walk->owner), walk->handle);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Have LIST, of an object that was found without a search, at its place in that object's list. */
static ompd_rc_t prepare_glanced(struct address_space *space, struct list *list)
{
    if (list->missing.failures == 0)
        list->missing.failures = callbacks_are_unknown(space, list);
    if (list->found.stop != space->target.stop) {
        list->found.stop = space->target.stop;
        list->found.is_lost = true;
    }
    return list->found.is_lost ? restore_position(space, list) : ompd_rc_ok;
}

/* Have the inventory of this stop, and LIST at its place in it. */
static ompd_rc_t prepare_list(struct address_space *space, struct list *list)
{
    uint32_t kinds = layout_row_objects(list->kind);
    ompd_rc_t rc = list->found.is_of_one ? glance_at_owner(space, list) : ompd_rc_ok;

    if (rc == ompd_rc_ok && list->found.is_glanced)
        return prepare_glanced(space, list);
    if (rc == ompd_rc_ok)
        rc = sources_take_inventory(space);

    /* The rows of the recorder are returned anyway. */
    if (rc == ompd_rc_callback_error && address_space_has_recorder(space))
        return address_space_fail(
            space, ompd_rc_incomplete,
            "the target's modules could not be read; objects that only layouts show are missing.");
    if (rc != ompd_rc_ok)
        return rc;
    rc = check_list_owner(space, list);
    if (rc != ompd_rc_ok)
        return rc;
    if (list->kind == ompd_cl_kind_svm_free || list->kind == ompd_cl_kind_event)
        kinds |= BIT(queue);
    rc = sources_mark_recorded(space, kinds);
    if (rc_is_final(rc))
        return rc;
    if (!list->found.is_of_one)
        list->missing.failures = notes_record(space, notes_parts(list->kind));
    else if (list->kind == ompd_cl_kind_destructor && list->missing.failures == 0)
        list->missing.failures = callbacks_are_unknown(space, list);
    if (list->found.stop != space->target.stop) {
        list->found.stop = space->target.stop;
        list->found.is_lost = true;
        if (rc == ompd_rc_incomplete)
            list_note_lost(list, space->layout->unmarked,
                           "some of the recorder's records could not be read; their objects may be "
                           "listed twice.");
    }
    return list->found.is_lost ? restore_position(space, list) : ompd_rc_ok;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* True if the recorder certainly does not know QUEUE, of a row that was made with RC: events of
 * queues that it knows are the program's, or the runtime's own. */
static bool is_of_unrecorded_queue(const struct address_space *space, const ompd_cl_value_t *queue,
                                   ompd_rc_t rc)
{
    if (rc != ompd_rc_ok && address_space_has_recorder(space) &&
        queue->status != ompd_cl_status_value && queue->status != ompd_cl_status_unknown)
        return false;
    return !inventory_is_recorded(space, inventory_find(&space->layout->inventory, queue->value));
}

static ompd_rc_t fill_objects(struct address_space *space, struct list *list, struct batch *batch)
{
    struct inventory_walk *walk = &list->found;

    while (batch->count < batch->capacity) {
        const struct inventory_item *item = next_list_item(space, list);
        union row local;
        void *info = batch_row(batch, &local);
        bool is_row;
        ompd_rc_t rc;

        if (item == NULL)
            return ompd_rc_ok;
        rc = layout_row_fill(space, list->kind, item, info, &is_row);
        if (rc_is_final(rc))
            return lose_position(walk);
        walk->handle = item->handle;
        if (is_row && list->kind == ompd_cl_kind_svm_free)
            is_row = is_of_unrecorded_queue(space, &((ompd_cl_svm_free_info_t *)info)->queue, rc);
        if (is_row && list->kind == ompd_cl_kind_event)
            is_row = is_of_unrecorded_queue(space, &((ompd_cl_event_info_t *)info)->queue, rc);
        if (is_row)
            add_row_of_item(list, batch, item, info, rc);
        else if (rc != ompd_rc_ok)
            lose_rows(list, item, 1);
    }
    return ompd_rc_ok;
}

/* Remove the row at INFO from those of LIST if the recorder has its SVM allocation. That is
 * possible where it could not be read which OpenCL contexts have allocations. */
static ompd_rc_t omit_recorded(struct address_space *space, struct list *list,
                               const ompd_cl_svm_info_t *info, bool *is_row)
{
    uint32_t index;
    uint32_t generation;
    ompd_rc_t rc;

    if (list->kind != ompd_cl_kind_svm || !address_space_has_recorder(space) ||
        (space->layout->unmarked_kinds & BIT(context)) == 0)
        return ompd_rc_ok;
    rc = record_find(&space->recorder->registry, ompd_cl_registry_svm, info->head.handle.value,
                     &index, &generation);
    *is_row = rc != ompd_rc_ok;
    if (*is_row && rc != ompd_rc_unavailable)
        list->missing.lost++;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Add a row of the next element of the current item of LIST. */
static ompd_rc_t add_element_row(struct address_space *space, struct list *list,
                                 struct batch *batch)
{
    struct inventory_walk *walk = &list->found;
    struct container *container = &walk->container;
    uint64_t lost = container->lost;
    union row local;
    void *info = batch_row(batch, &local);
    struct container_element element = {0};
    bool is_row = false;
    ompd_rc_t rc;

    rc = container_next(container, &space->target, &element);
    if (rc == ompd_rc_ok && element.address != 0)
        rc = layout_element_fill(space, list_of_kind(list->kind), walk->item, &element, info,
                                 &is_row);
    if (is_row && !rc_is_final(rc) && rc_is_final(omit_recorded(space, list, info, &is_row)))
        rc = ompd_rc_nomem;
    if (rc_is_final(rc))
        return lose_position(walk);
    if (is_row) {
        add_row_of_item(list, batch, walk->item, info, rc);
        count_again(list);
    }
    if (container->lost != lost)
        lose_rows(list, walk->item, container->lost - lost);
    walk->passed = container->passed;
    if (container->passed == container->count) {
        walk->is_within = false;
        walk->passed = 0;
    }
    return ompd_rc_ok;
}

static ompd_rc_t fill_elements(struct address_space *space, struct list *list, struct batch *batch)
{
    struct inventory_walk *walk = &list->found;

    while (batch->count < batch->capacity) {
        const struct inventory_item *item;
        ompd_rc_t rc;

        if (walk->is_within) {
            rc = add_element_row(space, list, batch);
        } else {
            item = next_list_item(space, list);
            if (item == NULL)
                return ompd_rc_ok;
            walk->handle = item->handle;
            walk->is_within = true;
            rc = enter_item(space, list, item);
            if (rc != ompd_rc_ok)
                lose_position(walk);
        }
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* Whether only the recorder has rows of LIST. */
static bool recorder_has_list(const struct address_space *space, const struct list *list)
{
    return !list->found.is_of_one && !sources_need_search(space) && list->walk.lost == 0 &&
           !shortfall_is_any(&list->missing) && list->walk.table->record_size != 0;
}

ompd_rc_t inventory_list_fill(struct address_space *space, struct list *list, struct batch *batch,
                              bool *is_over)
{
    bool is_of_elements = list->kind == ompd_cl_kind_destructor || list->kind == ompd_cl_kind_svm;
    ompd_rc_t rc;

    *is_over = layout_row_objects(list->kind) == 0 || !list->is_completed ||
               recorder_has_list(space, list);
    if (*is_over)
        return ompd_rc_ok;
    /* A scan of memory allocates, which a call does before it has rows. */
    if (batch->count != 0 && !list->found.is_glanced &&
        space->layout->inventory.stop != space->target.stop)
        return ompd_rc_ok;
    rc = prepare_list(space, list);
    if (rc == ompd_rc_nomem && !list->found.is_of_one && sources_lack_memory(space)) {
        message_clear(&space->message);
        list_note_lost(list, 0, SOURCES_LACK_MEMORY);
        *is_over = true;
        return ompd_rc_ok;
    }
    if (rc != ompd_rc_ok)
        return rc;
    read_ahead_begin(&space->target);
    rc = is_of_elements ? fill_elements(space, list, batch) : fill_objects(space, list, batch);
    read_ahead_end(&space->target);
    return rc;
}

static ompd_rc_t fill_of_one(struct address_space *space, struct list *list, struct batch *batch)
{
    bool is_over;

    return inventory_list_fill(space, list, batch, &is_over);
}

ompd_rc_t inventory_destructors_open(struct address_space *space, uint64_t handle,
                                     ompd_cl_list_t *id)
{
    struct list *list = list_open(space, ompd_cl_kind_destructor, fill_of_one, id);

    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->found.handle = handle;
    list->found.is_of_one = true;
    list->is_completed = true;
    return ompd_rc_ok;
}
