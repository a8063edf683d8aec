/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which blocks of the heap are Embree's own: the program holds nothing there. */
#include "questions/holders/holders.h"

#include "sources/embree/embree.h"

/* Add the array at PLACES, which begins OFFSET bytes before its first place. */
static ompd_rc_t add_array(struct address_space *space, struct embree_blocks *blocks,
                           const struct embree_places *places, uint64_t offset)
{
    uint64_t start = places->first - offset;

    if (places->count == 0 || places->first == 0)
        return ompd_rc_ok;
    return extents_add(&blocks->arrays, space->target.memory,
                       (struct extent){.start = start, .end = start + 1});
}

/* Add the array of the geometries of SCENE. */
static ompd_rc_t add_scene(struct address_space *space, struct embree_blocks *blocks,
                           const struct embree_item *scene)
{
    struct embree_places places = {.count = 1};
    ompd_rc_t rc = embree_member_read(space, scene, layout_member_geometry_items, &places.first);

    return rc == ompd_rc_ok ? add_array(space, blocks, &places, 0) : rc;
}

/* Add the arrays of views of the buffers of GEOMETRY. */
static ompd_rc_t add_geometry(struct address_space *space, struct embree_blocks *blocks,
                              const struct embree_item *geometry)
{
    const struct embree_table *table = embree_item_table(space->layout->embree, geometry);
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < table->body_count; i++) {
        const struct layout_body *body = table->bodies[i];

        for (uint32_t j = 0; j < body->slot_count && !rc_is_final(rc); j++) {
            const struct layout_array *array = &body->slots[j].place;
            struct embree_places places;

            if (array->stride == 0)
                continue;
            rc = embree_array_find(&space->target, array, geometry->handle, &places);
            if (rc == ompd_rc_ok)
                rc = add_array(space, blocks, &places, array->offset);
        }
    }
    return rc;
}

ompd_rc_t embree_blocks_read(struct address_space *space, struct embree_blocks *blocks)
{
    bool is_there;
    ompd_rc_t rc = embree_source_is_there(space, &is_there);

    if (rc != ompd_rc_ok || !is_there)
        return rc;
    rc = embree_source_take(space);
    if (rc != ompd_rc_ok) {
        message_clear(&space->message);
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    }
    blocks->is_there = true;
    read_ahead_begin(&space->target);
    for (uint32_t i = 0; i < space->layout->embree->count && !rc_is_final(rc); i++) {
        const struct embree_item *item = &space->layout->embree->items[i];

        if (item->kind == layout_class_scene)
            rc = add_scene(space, blocks, item);
        else if (item->kind == layout_class_geometry)
            rc = add_geometry(space, blocks, item);
    }
    read_ahead_end(&space->target);
    extents_sort(&blocks->arrays);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Whether WORD is the address of a virtual table of Embree's: it is in a copy of libembree, and no
 * code. Only its own objects have one. */
static bool is_table(struct address_space *space, uint64_t word)
{
    const struct embree_source *source = space->layout->embree;

    for (uint32_t i = 0; i < source->module_count; i++) {
        if (word >= source->modules[i].start && word < source->modules[i].memory_end)
            return !code_is_there(&space->code, &space->target, word);
    }
    return false;
}

bool embree_blocks_has(struct address_space *space, const struct embree_blocks *blocks,
                       uint64_t start, uint64_t end, uint64_t *object)
{
    const struct embree_source *source = space->layout->embree;
    uint32_t first;
    uint64_t word;

    *object = 0;
    if (!blocks->is_there)
        return false;
    first = embree_item_first(source, start);
    if (first < source->count && source->items[first].handle < end) {
        *object = source->items[first].handle;
        return true;
    }
    return (blocks->arrays.count != 0 && extents_find(&blocks->arrays, start) != NULL) ||
           (target_word(&space->target, start, &word) && is_table(space, word));
}
