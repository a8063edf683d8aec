/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every object of Embree's, from one search of memory a stop. */
#include "sources/embree/embree.h"

#include <string.h>

#define WORD 8 /* bytes */

/* ---- Members --------------------------------------------------------------------------------- */

const struct layout_body *embree_body_with(const struct embree_table *table,
                                           enum layout_member member)
{
    for (uint32_t i = 0; i < table->body_count; i++) {
        if (table->bodies[i]->members[member].width != 0)
            return table->bodies[i];
    }
    return NULL;
}

/* The bits at LOCATION of a member whose bytes have the value NUMBER. */
static uint64_t location_bits(const struct layout_member_location *location, uint64_t number)
{
    if (location->bits == 0)
        return number;
    return number >> location->first_bit & ((UINT64_C(1) << location->bits) - 1);
}

ompd_rc_t embree_location_read(struct target *target, const struct layout_member_location *location,
                               uint64_t address, uint64_t *number)
{
    const uint8_t *bytes;
    ompd_rc_t rc;

    if (location->width == 0)
        return ompd_rc_unavailable;
    if (address > UINT64_MAX - location->offset) {
        target->failure = ompd_cl_status_corrupt;
        return ompd_rc_incomplete;
    }
    rc = target_view(target, address + location->offset, location->width, 0, &bytes);
    if (rc == ompd_rc_ok)
        *number = location_bits(location, target_integer(target, bytes, location->width));
    return rc;
}

ompd_rc_t embree_member_read(struct address_space *space, const struct embree_item *item,
                             enum layout_member member, uint64_t *number)
{
    const struct layout_body *body =
        embree_body_with(embree_item_table(space->layout->embree, item), member);

    if (body == NULL)
        return ompd_rc_unavailable;
    return embree_location_read(&space->target, &body->members[member], item->handle, number);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* A search under way. */
struct search {
    struct address_space *space;
    struct scan scan;
};

/* Whether the device at HIT of TABLE has its second base, too. */
static bool hit_has_second(const struct search *search, const struct scan_hit *hit,
                           const struct embree_table *table)
{
    const struct embree_table *second;
    uint64_t word;

    if (table->bodies[0]->base == 0)
        return true;
    if (!scan_hit_number(&search->space->target, hit, table->bodies[0]->base, WORD, &word))
        return false;
    second = embree_table_find(&search->space->layout->embree->tables, word);
    return second != NULL && second->is_second && second->module == table->module;
}

/* Whether the object at HIT of TABLE lives, with so many *REFERENCES: an object whose last
 * reference was released has none. */
static bool hit_is_live(const struct search *search, const struct scan_hit *hit,
                        const struct embree_table *table, uint64_t *references)
{
    const struct layout_body *body = embree_body_with(table, layout_member_references);
    const struct layout_body *device = embree_body_with(table, layout_member_device);
    const struct layout_member_location *location;

    if (body == NULL || (table->kind == layout_class_device && !hit_has_second(search, hit, table)))
        return false;
    if (device != NULL) {
        location = &device->members[layout_member_device];
        if (!scan_hit_covers(hit, location->offset, location->width))
            return false;
    }
    location = &body->members[layout_member_references];
    if (!scan_hit_number(&search->space->target, hit, location->offset, location->width,
                         references))
        return false;
    return *references != 0 && *references <= UINT32_MAX;
}

/* A visitor of the scan. */
static ompd_rc_t hit_add(void *visitor, const struct scan_hit *hit)
{
    struct search *search = visitor;
    struct embree_source *source = search->space->layout->embree;
    uint16_t index = source->tables.word_tables[hit->word];
    struct embree_item item = {
        .handle = hit->address,
        .device = EMBREE_NONE,
        .table = index,
        .kind = source->tables.all[index].kind,
    };
    uint64_t references;
    ompd_rc_t rc;

    if (hit->address % WORD != 0 ||
        !hit_is_live(search, hit, &source->tables.all[index], &references))
        return ompd_rc_ok;
    item.references = (uint32_t)references;
    if (source->count == EMBREE_ITEM_LIMIT) {
        source->missing.lost++;
        return ompd_rc_ok;
    }
    rc = memory_grow(search->space->target.memory, &source->items, source->count, &source->capacity,
                     sizeof(item));
    if (rc == ompd_rc_ok)
        source->items[source->count++] = item;
    return rc;
}

uint32_t embree_item_first(const struct embree_source *source, uint64_t handle)
{
    uint32_t low = 0;
    uint32_t high = source->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (source->items[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct embree_item *embree_item_find(const struct embree_source *source, uint64_t handle)
{
    uint32_t index = embree_item_first(source, handle);

    return index < source->count && source->items[index].handle == handle ? &source->items[index]
                                                                          : NULL;
}

/* Find the device of ITEM. It has one, or may have one in lost memory: another word that looks like
 * an object is left over from one, and its kind becomes LAYOUT_CLASS_COUNT. Returns ompd_rc_ok, or
 * what ends the call. */
static ompd_rc_t item_find_device(struct search *search, struct embree_item *item)
{
    struct embree_source *source = search->space->layout->embree;
    const struct embree_item *device;
    uint64_t handle = 0;
    ompd_rc_t rc;

    item->device = EMBREE_NONE;
    if (item->kind == layout_class_device) {
        item->device = (uint32_t)(item - source->items);
        return ompd_rc_ok;
    }
    rc = embree_member_read(search->space, item, layout_member_device, &handle);
    if (rc_is_final(rc))
        return rc;
    device = rc == ompd_rc_ok ? embree_item_find(source, handle) : NULL;
    if (device != NULL && device->kind == layout_class_device)
        item->device = (uint32_t)(device - source->items);
    else if (rc == ompd_rc_incomplete ||
             scan_has_lost(&search->scan, &search->space->target, handle))
        item->marks |= embree_orphan;
    else
        item->kind = LAYOUT_CLASS_COUNT;
    return ompd_rc_ok;
}

/* Remove the items that are no objects, and find the devices of the others. */
static ompd_rc_t items_sift(struct search *search)
{
    struct embree_source *source = search->space->layout->embree;
    ompd_rc_t rc = ompd_rc_ok;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < source->count && rc == ompd_rc_ok; i++)
        rc = item_find_device(search, &source->items[i]);
    if (rc != ompd_rc_ok)
        return rc;
    for (uint32_t i = 0; i < source->count; i++) {
        if (source->items[i].kind != LAYOUT_CLASS_COUNT)
            source->items[kept++] = source->items[i];
    }
    source->count = kept;
    /* The devices have moved. */
    for (uint32_t i = 0; i < source->count && rc == ompd_rc_ok; i++) {
        rc = item_find_device(search, &source->items[i]);
        /* Any device may have it. */
        shortfall_note(&source->missing, source->items[i].device == EMBREE_NONE);
    }
    return rc;
}

/* Search memory for the objects. Returns as scan_memory does. */
static ompd_rc_t objects_search(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;
    struct search search = {
        .space = space,
        .scan =
            {
                .words = source->tables.words,
                .word_count = source->tables.word_count,
                .before = 64,
                .after = 4096,
                .visit = hit_add,
            },
    };
    ompd_rc_t rc;

    search.scan.visitor = &search;
    if (source->tables.word_count == 0)
        return ompd_rc_ok;
    rc = scan_memory(&search.scan, &space->target);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    if (search.scan.is_cancelled)
        return address_space_fail(space, ompd_rc_incomplete,
                                  "the search for Embree's objects was cancelled.");
    rc = items_sift(&search);
    shortfall_add(&source->missing, &search.scan.missing);
    if (search.scan.failure != 0)
        source->failure = search.scan.failure;
    return rc;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Find the tables of all copies of libembree. Returns ompd_rc_ok, or why there are none. */
static ompd_rc_t tables_find(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;

    for (uint32_t i = 0; i < source->module_count; i++) {
        ompd_rc_t rc =
            embree_tables_find(&source->tables, &space->target, &source->modules[i], (uint8_t)i);

        if (rc == ompd_rc_unsupported || rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok) {
            source->failure = space->target.failure;
            source->missing.reason = "some of the data of libembree could not be read.";
        }
    }
    embree_tables_end(&source->tables);
    return ompd_rc_ok;
}

/* Forget the objects of an earlier stop, or of a search that failed. */
static void objects_forget(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;

    memory_free(space->target.memory, source->items);
    source->items = NULL;
    source->count = 0;
    source->capacity = 0;
    source->stop = 0;
    source->surveyed = 0;
    source->is_busy = false;
    source->failure = 0;
    source->marks_count = 0;
    source->unread_links = 0;
    memset(&source->missing, 0, sizeof(source->missing));
    memset(&source->tables, 0, sizeof(source->tables));
}

ompd_rc_t embree_source_take(struct address_space *space)
{
    struct embree_source *source;
    ompd_rc_t rc = embree_modules_take(space);

    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    source = space->layout->embree;
    if (source->stop == space->target.stop)
        return ompd_rc_ok;
    objects_forget(space);
    shortfall_note(&source->missing, source->has_lost_modules);
    if (source->has_unknown)
        source->missing.reason = "no layout matches one of the copies of libembree.";
    rc = tables_find(space);
    if (rc == ompd_rc_ok)
        rc = objects_search(space);
    if (rc == ompd_rc_ok)
        rc = embree_links_count(space);
    if (rc == ompd_rc_ok)
        rc = embree_bytes_count(space);
    /* What an interrupt cut off is no property of this stop. */
    if (rc == ompd_rc_ok && space->target.memory->call.is_interrupted)
        rc = ompd_rc_interrupted;
    if (rc == ompd_rc_ok)
        source->stop = space->target.stop;
    return address_space_set_message(space, rc);
}
