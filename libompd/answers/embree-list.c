/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of Embree's objects, and single ones. */
#include "answers/answers.h"
#include "sources/embree/embree.h"

/* Find the objects of this stop, and of devices what their rows need. Returns as embree_source_take
 * does. */
static ompd_rc_t embree_take(struct address_space *space, uint32_t kind)
{
    ompd_rc_t rc = embree_source_take(space);

    if (rc == ompd_rc_ok && kind == ompd_cl_kind_embree_device)
        rc = embree_survey(space);
    return rc;
}

/* A list_fill_t: the objects of LIST's kind by ascending handle. */
static ompd_rc_t embree_list_fill(struct address_space *space, struct list *list,
                                  struct batch *batch)
{
    const struct embree_source *source;
    ompd_rc_t rc = embree_take(space, list->kind);

    if (rc != ompd_rc_ok)
        return rc;
    source = space->layout->embree;
    list->missing = source->missing;
    for (uint32_t i = embree_item_first(source, list->handle);
         i < source->count && batch->count < batch->capacity; i++) {
        union row local;
        void *info = batch_row(batch, &local);

        list->handle = source->items[i].handle + 1;
        if (!embree_item_is_of(&source->items[i], list->kind))
            continue;
        rc = embree_row_fill(space, &source->items[i], list->kind, info);
        if (rc_is_final(rc)) {
            list->handle = source->items[i].handle;
            return rc;
        }
        batch_add(list, batch, info, rc);
    }
    return ompd_rc_ok;
}

ompd_rc_t embree_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *id)
{
    struct list *list;
    ompd_rc_t rc = embree_modules_take(space);

    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_filtered(space, kind, embree_list_fill, filter, id, &list);
}

/* ---- The objects that belong to one ---------------------------------------------------------- */

/* The kind of object that rows of KIND can belong to. */
static uint32_t embree_owner_kind(uint32_t kind)
{
    return kind == ompd_cl_kind_embree_geometry ? ompd_cl_kind_embree_scene
                                                : ompd_cl_kind_embree_geometry;
}

/* Find the item of the object that LIST belongs to. Returns ompd_rc_stale_handle when it was
 * destroyed. */
static ompd_rc_t embree_owner_find(struct address_space *space, const struct list *list,
                                   const struct embree_item **owner)
{
    *owner = embree_item_find(space->layout->embree, list->handle);
    if (*owner != NULL && embree_item_is_of(*owner, embree_owner_kind(list->kind)))
        return ompd_rc_ok;
    return address_space_fail(space, ompd_rc_stale_handle, "the object was destroyed.");
}

/* The object of LIST's kind at HANDLE; NULL if none was found, or the place is empty. */
static struct embree_item *embree_link_item(struct address_space *space, const struct list *list,
                                            uint64_t handle)
{
    struct embree_item *item = handle != 0 ? embree_item_find(space->layout->embree, handle) : NULL;

    return item != NULL && embree_item_is_of(item, list->kind) ? item : NULL;
}

/* Add the row of ITEM. Returns what ends the call, or ompd_rc_ok. */
static ompd_rc_t embree_link_add(struct address_space *space, struct list *list,
                                 struct batch *batch, const struct embree_item *item)
{
    union row local;
    void *info = batch_row(batch, &local);
    ompd_rc_t rc = embree_row_fill(space, item, list->kind, info);

    if (!rc_is_final(rc))
        batch_add(list, batch, info, rc);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* A list_fill_t: the geometries of a scene, or the buffers of a geometry. */
static ompd_rc_t embree_links_fill(struct address_space *space, struct list *list,
                                   struct batch *batch)
{
    bool is_of_scene = list->kind == ompd_cl_kind_embree_geometry;
    struct embree_walk walk = {0};
    uint64_t passed = 0;
    ompd_rc_t rc = embree_source_take(space);

    if (rc == ompd_rc_ok)
        rc = embree_owner_find(space, list, &walk.owner);
    if (rc != ompd_rc_ok)
        return rc;
    /* A scene has one list. A geometry may have one buffer in several slots, so that those that
     * were passed are marked again. */
    if (is_of_scene)
        walk.element = passed = list->passed;
    space->layout->embree->marks_count++;
    while (rc == ompd_rc_ok && batch->count < batch->capacity) {
        struct embree_item *item;
        struct embree_link link;
        ompd_rc_t next = embree_walk_next(space, &walk, &link);
        bool is_new;

        if (next == ompd_rc_unavailable || rc_is_final(next))
            return next == ompd_rc_unavailable ? ompd_rc_ok : next;
        item = embree_link_item(space, list, link.handle);
        is_new = item != NULL && (is_of_scene || embree_item_mark(space->layout->embree, item));
        if (passed++ < list->passed)
            continue;
        shortfall_note(&list->missing, next != ompd_rc_ok);
        list->missing.lost += item == NULL && link.handle != 0;
        if (is_new)
            rc = embree_link_add(space, list, batch, item);
        if (rc == ompd_rc_ok)
            list->passed = passed;
    }
    return rc;
}

ompd_rc_t embree_part_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                                ompd_cl_list_t *id)
{
    struct identifier identifier;
    struct list *list;
    ompd_rc_t rc;

    if (!identifier_decode(object, space->salt, &identifier) || identifier.handle == 0 ||
        identifier.kind != embree_owner_kind(kind))
        return recorded_object_refuse_id(space);
    rc = embree_modules_take(space);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    list = list_open(space, kind, embree_links_fill, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->handle = identifier.handle;
    return ompd_rc_ok;
}

/* ---- One object ------------------------------------------------------------------------------ */

/* Whether an object at HANDLE, which was not found, may be in memory that was not searched. */
static bool embree_may_have(struct address_space *space, uint64_t handle)
{
    const struct shortfall *missing = &space->layout->embree->missing;
    uint64_t word;

    return shortfall_is_any(missing) ||
           (shortfall_bytes(missing) != 0 && !target_word(&space->target, handle, &word));
}

ompd_rc_t embree_object_find(struct address_space *space, uint32_t kind, uint64_t handle,
                             uint64_t *id)
{
    const struct embree_item *item;
    ompd_rc_t rc = embree_source_take(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    item = embree_item_find(space->layout->embree, handle);
    if (item == NULL || !embree_item_is_of(item, kind)) {
        *id = 0;
        return embree_may_have(space, handle) ? ompd_rc_incomplete : ompd_rc_unavailable;
    }
    *id = identifier_of_handle(kind, handle, space->salt);
    return ompd_rc_ok;
}

ompd_rc_t embree_object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info)
{
    struct identifier identifier;
    const struct embree_item *item;
    ompd_size_t struct_size;
    union row row;
    ompd_rc_t rc;

    if (!identifier_decode(id, space->salt, &identifier) || identifier.kind != kind)
        return recorded_object_refuse_id(space);
    rc = embree_take(space, kind);
    if (rc == ompd_rc_ok)
        rc = row_check(space, kind, info, &struct_size);
    if (rc != ompd_rc_ok)
        return rc;
    item = embree_item_find(space->layout->embree, identifier.handle);
    if (item == NULL || !embree_item_is_of(item, kind))
        return address_space_fail(space, ompd_rc_stale_handle, "the object was destroyed.");
    rc = embree_row_fill(space, item, kind, &row);
    if (address_space_may_set_outputs(space, rc))
        row_copy_to_tool(kind, &row, info, struct_size);
    return address_space_set_message(space, rc);
}
