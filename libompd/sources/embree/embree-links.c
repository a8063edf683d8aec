/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The references that objects of Embree hold on each other: a scene on its geometries, a geometry
 * on its buffers and on the scene that it instantiates, and all of them on their device. */
#include "sources/embree/embree.h"

#define WORD 8 /* bytes */

/* ---- Arrays in objects ----------------------------------------------------------------------- */

/* Whether PLACES can be a list: corrupt numbers are no reason to read a gigabyte (law 13). */
static bool places_are_good(const struct embree_places *places)
{
    return places->count == 0 ||
           (places->first != 0 && places->count <= EMBREE_LINK_LIMIT &&
            places->first <= UINT64_MAX - (places->count + 1) * (UINT64_C(1) + UINT16_MAX));
}

ompd_rc_t embree_array_find(struct target *target, const struct layout_array *array,
                            uint64_t address, struct embree_places *places)
{
    *places = (struct embree_places){address + array->offset, 1, WORD};
    if (array->stride == 0)
        return ompd_rc_ok;
    places->stride = array->stride;
    if (!target_word(target, address + array->items, &places->first) ||
        !target_word(target, address + array->count, &places->count) || !places_are_good(places)) {
        *places = (struct embree_places){0};
        return ompd_rc_incomplete;
    }
    places->first += array->offset;
    return ompd_rc_ok;
}

/* ---- The links of one object ----------------------------------------------------------------- */

/* The places of the links of a scene to its geometries. */
static ompd_rc_t scene_links(struct address_space *space, const struct embree_item *scene,
                             struct embree_places *places)
{
    ompd_rc_t rc;

    places->stride = WORD;
    rc = embree_member_read(space, scene, layout_member_geometry_items, &places->first);
    if (rc == ompd_rc_ok)
        rc = embree_member_read(space, scene, layout_member_geometry_count, &places->count);
    if (rc == ompd_rc_ok && !places_are_good(places))
        rc = ompd_rc_incomplete;
    if (rc != ompd_rc_ok)
        places->count = 0;
    return rc == ompd_rc_unavailable ? ompd_rc_incomplete : rc;
}

/* The places of the current list of WALK. Returns ompd_rc_unavailable past the last one. */
static ompd_rc_t walk_places(struct address_space *space, const struct embree_walk *walk,
                             struct embree_places *places, enum layout_slot_role *role)
{
    const struct embree_table *table = embree_item_table(space->layout->embree, walk->owner);
    const struct layout_body *body;

    *role = layout_slot_other;
    *places = (struct embree_places){0};
    if (walk->body >= table->body_count)
        return ompd_rc_unavailable;
    if (walk->owner->kind == layout_class_scene)
        return walk->body == 0 && walk->slot == 0 ? scene_links(space, walk->owner, places)
                                                  : ompd_rc_unavailable;
    body = table->bodies[walk->body];
    if (walk->slot >= body->slot_count)
        return ompd_rc_ok;
    *role = (enum layout_slot_role)body->slots[walk->slot].role;
    return embree_array_find(&space->target, &body->slots[walk->slot].place, walk->owner->handle,
                             places);
}

/* Go to the next list of WALK. */
static void walk_pass(const struct address_space *space, struct embree_walk *walk)
{
    const struct embree_table *table = embree_item_table(space->layout->embree, walk->owner);

    walk->element = 0;
    walk->slot++;
    if (walk->owner->kind == layout_class_scene ||
        walk->slot < table->bodies[walk->body]->slot_count)
        return;
    walk->slot = 0;
    walk->body++;
}

ompd_rc_t embree_walk_next(struct address_space *space, struct embree_walk *walk,
                           struct embree_link *link)
{
    struct embree_places places;
    enum layout_slot_role role;

    *link = (struct embree_link){0};
    for (;;) {
        ompd_rc_t rc = walk_places(space, walk, &places, &role);

        if (rc == ompd_rc_unavailable || rc_is_final(rc))
            return rc;
        if (walk->element < places.count)
            break;
        walk_pass(space, walk);
        link->role = (uint8_t)role;
        if (rc != ompd_rc_ok)
            return ompd_rc_incomplete;
    }
    link->role = (uint8_t)role;
    link->place = (uint32_t)walk->element;
    link->address = places.first + walk->element * places.stride;
    if (target_word(&space->target, link->address, &link->handle)) {
        walk->element++;
        return ompd_rc_ok;
    }
    walk_pass(space, walk);
    link->handle = 0;
    return ompd_rc_incomplete;
}

/* ---- Instances ------------------------------------------------------------------------------- */

/* Find the place of the links of ITEM to the scenes of SLOT. */
static ompd_rc_t scene_slot_places(struct target *target, const struct embree_item *item,
                                   const struct layout_scene_slot *slot,
                                   struct embree_places *places)
{
    const uint8_t *bytes;
    ompd_rc_t rc;

    *places = (struct embree_places){item->handle + slot->offset, 1, WORD};
    if (slot->count == 0)
        return ompd_rc_ok;
    rc = target_view(target, item->handle + slot->count, 4, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    places->count = target_integer(target, bytes, 4);
    if (!target_word(target, item->handle + slot->offset, &places->first))
        return ompd_rc_incomplete;
    /* An array that is not used. */
    if (places->first == 0)
        places->count = 0;
    return places_are_good(places) ? ompd_rc_ok : ompd_rc_incomplete;
}

ompd_rc_t embree_instance_scene(struct address_space *space, const struct embree_item *item,
                                uint64_t *scene)
{
    const struct embree_table *table = embree_item_table(space->layout->embree, item);
    ompd_rc_t rc = ompd_rc_unavailable;

    *scene = 0;
    for (uint32_t i = 0; i < table->body_count && *scene == 0; i++) {
        const struct layout_body *body = table->bodies[i];

        for (uint32_t j = 0; j < body->scene_slot_count && *scene == 0; j++) {
            struct embree_places places;

            rc = scene_slot_places(&space->target, item, &body->scene_slots[j], &places);
            if (rc == ompd_rc_ok && places.count != 0 &&
                !target_word(&space->target, places.first, scene))
                rc = ompd_rc_incomplete;
            if (rc != ompd_rc_ok)
                return rc;
        }
    }
    return rc;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The links of all objects are being counted. */
struct count {
    struct address_space *space;
    uint64_t left; /* links that may still be read */
};

/* Whether another link of ITEM may be read. */
static bool count_may_go_on(struct count *count, struct embree_item *item)
{
    if (count->left != 0) {
        count->left--;
        return true;
    }
    item->marks |= embree_unread;
    return false;
}

static void count_geometry(struct embree_item *scene, struct embree_item *geometry, uint32_t place)
{
    scene->uses++;
    geometry->held++;
    if (geometry->scene == 0) {
        geometry->scene = scene->handle;
        geometry->number = place;
    }
}

/* Count BUFFER, which the geometry ITEM holds, maybe more than once. */
static void count_buffer(const struct embree_source *source, struct embree_item *item,
                         struct embree_item *buffer)
{
    buffer->held++;
    if (!embree_item_mark(source, buffer))
        return;
    buffer->uses++;
    item->uses++;
}

/* Count the geometries of the scene ITEM, or the buffers of the geometry ITEM. */
static ompd_rc_t count_links(struct count *count, struct embree_item *item)
{
    struct embree_source *source = count->space->layout->embree;
    struct embree_walk walk = {.owner = item};

    source->marks_count++;
    while (count_may_go_on(count, item)) {
        struct embree_item *linked;
        struct embree_link link;
        ompd_rc_t rc = embree_walk_next(count->space, &walk, &link);

        if (rc == ompd_rc_unavailable || rc_is_final(rc))
            return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
        if (rc != ompd_rc_ok)
            item->marks |= embree_unread;
        if (link.handle == 0)
            continue;
        linked = embree_item_find(source, link.handle);
        if (linked != NULL && item->kind == layout_class_scene &&
            linked->kind == layout_class_geometry)
            count_geometry(item, linked, link.place);
        else if (linked != NULL && item->kind == layout_class_geometry &&
                 linked->kind == layout_class_buffer)
            count_buffer(source, item, linked);
        else
            item->marks |= embree_unread; /* an object that was not found */
    }
    return ompd_rc_ok;
}

/* Count the scenes of PLACES, which the geometry ITEM instantiates. */
static void count_scenes(struct count *count, struct embree_item *item,
                         const struct embree_places *places)
{
    for (uint64_t i = 0; i < places->count && count_may_go_on(count, item); i++) {
        struct embree_item *scene;
        uint64_t handle;

        if (!target_word(&count->space->target, places->first + i * places->stride, &handle)) {
            item->marks |= embree_unread;
            return;
        }
        if (handle == 0)
            continue;
        scene = embree_item_find(count->space->layout->embree, handle);
        if (scene != NULL && scene->kind == layout_class_scene)
            scene->held++;
        else
            item->marks |= embree_unread;
    }
}

/* Count all scenes that the geometry ITEM instantiates. */
static ompd_rc_t count_instances(struct count *count, struct embree_item *item)
{
    const struct embree_table *table = embree_item_table(count->space->layout->embree, item);

    for (uint32_t i = 0; i < table->body_count; i++) {
        for (uint32_t j = 0; j < table->bodies[i]->scene_slot_count; j++) {
            struct embree_places places;
            ompd_rc_t rc = scene_slot_places(&count->space->target, item,
                                             &table->bodies[i]->scene_slots[j], &places);

            if (rc_is_final(rc))
                return rc;
            if (rc == ompd_rc_ok)
                count_scenes(count, item, &places);
            else
                item->marks |= embree_unread;
        }
    }
    return ompd_rc_ok;
}

/* Count ITEM among the children of its device. */
static void count_child(struct embree_source *source, const struct embree_item *item)
{
    struct embree_item *device;

    if (item->device == EMBREE_NONE || item->kind == layout_class_device)
        return;
    device = &source->items[item->device];
    device->held++;
    switch (item->kind) {
    case layout_class_scene:
        device->scenes++;
        break;
    case layout_class_geometry:
        device->geometries++;
        break;
    case layout_class_buffer:
        device->buffers++;
        break;
    default:
        break;
    }
}

ompd_rc_t embree_links_count(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;
    struct count count = {space, EMBREE_LINK_LIMIT};
    ompd_rc_t rc = ompd_rc_ok;

    read_ahead_begin(&space->target);
    for (uint32_t i = 0; i < source->count && rc == ompd_rc_ok; i++) {
        struct embree_item *item = &source->items[i];

        count_child(source, item);
        if (item->kind == layout_class_scene || item->kind == layout_class_geometry)
            rc = count_links(&count, item);
        if (rc == ompd_rc_ok && item->kind == layout_class_geometry)
            rc = count_instances(&count, item);
        if ((item->marks & embree_unread) != 0)
            source->unread_links |= UINT32_C(1) << item->kind;
    }
    read_ahead_end(&space->target);
    return rc;
}
