/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The memory that devices have reported to their monitors. Embree counts it nowhere, but all of it
 * belongs to objects: to buffers, to the blocks of allocators in acceleration structures, to
 * monitored vectors and, since Embree 4, to instances. What a scene owns is found from it: an
 * object without references cannot be told from a freed one.
 */
#include "sources/embree/embree.h"

#define WORD 8 /* bytes */

/* The allocator's lists of blocks for single threads. */
#define THREAD_LISTS 8

/* The type of blocks that an allocator borrows from a vector, which reports them (AllocationType in
 * Embree's alloc.h). */
#define BLOCK_SHARED 2

/* Offsets in a monitored vector. */
#define VECTOR_ACTIVE 16
#define VECTOR_ALLOCATED 24
#define VECTOR_ITEMS 32

/* Pointers to owned objects, and vectors in arrays: law 6. */
#define STEP_LIMIT (UINT32_C(1) << 23)  /* of all objects */
#define OWNED_LIMIT (UINT32_C(1) << 22) /* of one list */
#define OWNED_DEPTH 8

/* After so many owned objects that could not be read, pointers to them are not followed: each takes
 * a failed read. */
#define LOST_LIMIT 256

/* What is counted of all objects. */
struct tally {
    struct embree_visited visited; /* blocks, and owned objects */
    uint32_t steps;                /* that may still be made */
    uint32_t lost;                 /* owned objects that could not be read */
};

/* The bytes of one object and of what it owns. */
struct sum {
    struct address_space *space;
    struct tally *tally;
    uint64_t bytes;
    uint64_t unsettled; /* the part of them that a thread in Embree may have freed */
    uint64_t blocks;    /* the part that a thread which builds the object may have freed */
    bool is_partial;    /* some could not be counted */
};

/* Add BYTES, unless the sum is more than a process can have. */
static void sum_add(struct sum *sum, uint64_t bytes)
{
    if (bytes <= EMBREE_BYTES_LIMIT - sum->bytes)
        sum->bytes += bytes;
    else
        sum->is_partial = true;
}

/* The same for BYTES in a vector. */
static void sum_add_vector(struct sum *sum, uint64_t bytes)
{
    uint64_t before = sum->bytes;

    sum_add(sum, bytes);
    sum->unsettled += sum->bytes - before;
}

/* Whether another step may be made. */
static bool sum_may_go_on(struct sum *sum)
{
    if (sum->tally->steps != 0) {
        sum->tally->steps--;
        return true;
    }
    sum->is_partial = true;
    return false;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static const struct layout_body *block_body(const struct layout *layout)
{
    for (uint32_t i = 0; i < layout->class_count; i++) {
        if (layout->classes[i].kind == layout_class_block)
            return &layout->bodies[layout->classes[i].body];
    }
    return NULL;
}

/* The numbers of a block. */
struct allocator_block {
    uint64_t allocated;
    uint64_t allocated_end;
    uint64_t reserved_end;
    uint64_t next;
    uint64_t wasted;
    uint64_t type;
};

static ompd_rc_t block_read(struct target *target, const struct layout_body *body, uint64_t address,
                            struct allocator_block *block)
{
    const struct {
        enum layout_member member;
        uint64_t *number;
    } reads[] = {
        {layout_member_allocated, &block->allocated},
        {layout_member_allocated_end, &block->allocated_end},
        {layout_member_reserved_end, &block->reserved_end},
        {layout_member_next, &block->next},
        {layout_member_wasted, &block->wasted},
        {layout_member_type, &block->type},
    };
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]) && rc == ompd_rc_ok; i++)
        rc =
            embree_location_read(target, &body->members[reads[i].member], address, reads[i].number);
    return rc;
}

/* Add the bytes that BLOCK has reported: a block that is reserved grows as it is used. */
static void block_add(struct sum *sum, const struct layout_body *body,
                      const struct allocator_block *block)
{
    uint64_t end =
        block->allocated > block->allocated_end ? block->allocated : block->allocated_end;

    if (block->type == BLOCK_SHARED)
        return;
    sum_add(sum, block->wasted);
    sum_add(sum, body->bytes);
    sum_add(sum, end < block->reserved_end ? end : block->reserved_end);
}

/* Add the bytes of the blocks from FIRST on. No block is in two lists, or twice in one. A list that
 * is being freed still begins with freed blocks. malloc's chunks do not show all of these, and a
 * living block that is aligned in its chunk, or has none, can seem to be free. Both matter only
 * while a thread is in Embree. */
static ompd_rc_t blocks_add(struct sum *sum, const struct layout_body *body, uint64_t first)
{
    bool is_unsettled = false;

    while (first != 0) {
        uint64_t before = sum->bytes;
        struct allocator_block block;
        ompd_rc_t rc = embree_visited_add(&sum->tally->visited, first);

        is_unsettled = is_unsettled || malloc_chunk_in_free(&sum->space->target, first);
        if (rc == ompd_rc_ok)
            rc = block_read(&sum->space->target, body, first, &block);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok) {
            sum->is_partial = true;
            break;
        }
        block_add(sum, body, &block);
        *(is_unsettled ? &sum->unsettled : &sum->blocks) += sum->bytes - before;
        first = block.next;
    }
    return ompd_rc_ok;
}

/* Add the bytes of the blocks of the allocator in the object of TABLE at ADDRESS. */
static ompd_rc_t allocator_add(struct sum *sum, const struct embree_table *table, uint64_t address)
{
    static const struct {
        enum layout_member member;
        unsigned count;
    } lists[] = {
        {layout_member_used_blocks, 1},
        {layout_member_free_blocks, 1},
        {layout_member_thread_blocks, THREAD_LISTS},
    };
    const struct layout *layout = sum->space->layout->embree->modules[table->module].layout;
    const struct layout_body *blocks = block_body(layout);
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const struct layout_body *body = embree_body_with(table, lists[i].member);

        for (unsigned j = 0; j < lists[i].count && rc == ompd_rc_ok; j++) {
            uint64_t first;

            if (body == NULL || blocks == NULL ||
                !target_word(&sum->space->target,
                             address + body->members[lists[i].member].offset + j * WORD, &first))
                sum->is_partial = true;
            else
                rc = blocks_add(sum, blocks, first);
        }
    }
    return rc;
}

/* ---- Vectors and constant sizes -------------------------------------------------------------- */

/* Add the bytes of the vector at ADDRESS, of elements of SIZE bytes. Returns false when it could
 * not be read. */
static bool vector_add(struct sum *sum, uint64_t address, uint16_t size)
{
    struct target *target = &sum->space->target;
    uint64_t active;
    uint64_t allocated;
    uint64_t items;

    if (!target_word(target, address + VECTOR_ACTIVE, &active) ||
        !target_word(target, address + VECTOR_ALLOCATED, &allocated) ||
        !target_word(target, address + VECTOR_ITEMS, &items)) {
        sum->is_partial = true;
        return false;
    }
    if (items != 0 && active <= allocated && allocated <= UINT64_MAX / UINT16_MAX)
        sum_add_vector(sum, allocated * size);
    else if (items != 0)
        sum->is_partial = true;
    return true;
}

/* Add the bytes of the vectors of the object with BODY at ADDRESS. */
static ompd_rc_t vectors_add(struct sum *sum, const struct layout_body *body, uint64_t address)
{
    for (uint32_t i = 0; i < body->vector_count; i++) {
        const struct layout_vector *vector = &body->vectors[i];
        struct embree_places places;
        ompd_rc_t rc = embree_array_find(&sum->space->target, &vector->place, address, &places);

        if (rc_is_final(rc))
            return rc;
        sum->is_partial |= rc != ompd_rc_ok;
        for (uint64_t j = 0; j < places.count && sum_may_go_on(sum); j++) {
            /* What cannot be read may not be there: law 13. */
            if (!vector_add(sum, places.first + j * places.stride, vector->element_size))
                break;
        }
    }
    return ompd_rc_ok;
}

/* Add what the object with BODY at ADDRESS reports for itself and for what it counts. */
static void constants_add(struct sum *sum, const struct layout_body *body,
                          const struct embree_table *table, uint64_t address)
{
    const struct layout_body *counted;
    uint64_t number = 0;

    sum_add(sum, body->bytes);
    if (body->bytes_each == 0)
        return;
    counted = embree_body_with(table, (enum layout_member)body->counted);
    if (counted == NULL ||
        embree_location_read(&sum->space->target, &counted->members[body->counted], address,
                             &number) != ompd_rc_ok ||
        number > UINT32_MAX)
        sum->is_partial = true;
    else
        sum_add(sum, number * body->bytes_each);
}

/* Add all that the object of TABLE at ADDRESS has itself. */
static ompd_rc_t object_add(struct sum *sum, const struct embree_table *table, uint64_t address)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < table->body_count && rc == ompd_rc_ok; i++) {
        constants_add(sum, table->bodies[i], table, address);
        rc = vectors_add(sum, table->bodies[i], address);
    }
    if (rc == ompd_rc_ok && embree_body_with(table, layout_member_used_blocks) != NULL)
        rc = allocator_add(sum, table, address);
    return rc;
}

/* ---- What an object owns --------------------------------------------------------------------- */

/* An object whose owned objects are being added, and how far that is. */
struct owner {
    const struct embree_table *table;
    uint64_t address;
    uint32_t body;
    uint32_t owned;
    uint64_t element;
};

/* The places of the pointers of OWNED of the object at ADDRESS. */
static bool owned_places(struct target *target, const struct layout_owned *owned, uint64_t address,
                         struct embree_places *places)
{
    uint64_t end;

    *places = (struct embree_places){address + owned->offset, 1, WORD};
    if (owned->end == 0)
        return true;
    if (!target_word(target, address + owned->offset, &places->first) ||
        !target_word(target, address + owned->end, &end) || end < places->first ||
        end - places->first > (uint64_t)OWNED_LIMIT * WORD)
        return false;
    places->count = (end - places->first) / WORD;
    return true;
}

/* Go to the next pointer of OWNER. Sets *ADDRESS to it, which may be 0. False when there are no
 * more. */
static bool owner_next(struct sum *sum, struct owner *owner, uint64_t *address)
{
    struct target *target = &sum->space->target;

    for (; owner->body < owner->table->body_count; owner->body++, owner->owned = 0) {
        const struct layout_body *body = owner->table->bodies[owner->body];

        for (; owner->owned < body->owned_count; owner->owned++, owner->element = 0) {
            struct embree_places places;

            if (!owned_places(target, &body->owned[owner->owned], owner->address, &places)) {
                sum->is_partial = true;
                continue;
            }
            if (owner->element >= places.count)
                continue;
            if (!sum_may_go_on(sum))
                return false;
            if (target_word(target, places.first + owner->element++ * WORD, address))
                return true;
            /* What follows may not be there: law 13. */
            sum->is_partial = true;
        }
    }
    return false;
}

/* The table of the object at ADDRESS; NULL if it is of no class of the layouts. */
static const struct embree_table *owned_table(struct sum *sum, uint64_t address)
{
    uint64_t word;

    if (address == 0)
        return NULL;
    if (sum->tally->lost < LOST_LIMIT) {
        if (target_word(&sum->space->target, address, &word))
            return embree_table_find(&sum->space->layout->embree->tables, word);
        sum->tally->lost++;
    }
    sum->is_partial = true;
    return NULL;
}

/* Whether objects of TABLE are parts of their owner, which nothing counts but that. */
static bool table_is_owned(const struct embree_table *table)
{
    return table->kind == layout_class_bvh || table->kind == layout_class_builder ||
           table->kind == layout_class_part;
}

/* Add all that the object of TABLE at ADDRESS owns, each once. */
static ompd_rc_t owned_add(struct sum *sum, const struct embree_table *table, uint64_t address)
{
    struct owner owners[OWNED_DEPTH] = {{.table = table, .address = address}};
    unsigned depth = 1;
    ompd_rc_t rc = ompd_rc_ok;

    while (depth != 0 && rc == ompd_rc_ok) {
        const struct embree_table *owned;

        if (!owner_next(sum, &owners[depth - 1], &address)) {
            depth--;
            continue;
        }
        owned = owned_table(sum, address);
        if (owned == NULL || !table_is_owned(owned))
            continue;
        rc = embree_visited_add(&sum->tally->visited, address);
        if (rc_is_final(rc))
            break;
        if (rc == ompd_rc_incomplete || depth == OWNED_DEPTH)
            sum->is_partial = true;
        if (rc == ompd_rc_ok && depth != OWNED_DEPTH) {
            rc = object_add(sum, owned, address);
            owners[depth++] = (struct owner){.table = owned, .address = address};
        } else {
            rc = ompd_rc_ok;
        }
    }
    return rc;
}

/* ---- One object ------------------------------------------------------------------------------ */

/* Set the bytes of the buffer ITEM. */
static ompd_rc_t buffer_count(struct address_space *space, struct embree_item *item)
{
    uint64_t is_shared = 0;
    uint64_t bytes = 0;
    ompd_rc_t rc = embree_member_read(space, item, layout_member_bytes, &bytes);

    if (rc == ompd_rc_ok)
        rc = embree_member_read(space, item, layout_member_shared, &is_shared);
    if (rc != ompd_rc_ok || bytes > EMBREE_BYTES_LIMIT)
        item->marks |= embree_partial;
    else if (is_shared != 0)
        item->shared = bytes;
    else
        item->bytes += bytes;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Read whether a thread holds the lock of SCENE's build (glibc: the lock is the first number of a
 * pthread_mutex_t). */
static ompd_rc_t scene_read_lock(struct address_space *space, struct embree_item *scene)
{
    uint64_t mutex = 0;
    const uint8_t *bytes;
    ompd_rc_t rc = embree_member_read(space, scene, layout_member_build_mutex, &mutex);

    if (rc == ompd_rc_ok)
        rc = target_view(&space->target, mutex, 4, 0, &bytes);
    if (rc == ompd_rc_ok)
        scene->building = target_integer(&space->target, bytes, 4) != 0;
    return rc;
}

/* Find out whether SCENE is being built, or must be. While it is, it stays modified. */
static ompd_rc_t scene_find_build(struct address_space *space, struct embree_item *scene)
{
    uint64_t modified = 1;
    ompd_rc_t lock_rc = scene_read_lock(space, scene);
    uint16_t failure = space->target.failure;
    ompd_rc_t rc = embree_member_read(space, scene, layout_member_modified, &modified);

    if (rc_is_final(lock_rc) || rc_is_final(rc))
        return rc_is_final(rc) ? rc : lock_rc;
    scene->modified = modified != 0;
    if (rc != ompd_rc_ok)
        failure = space->target.failure;
    else
        rc = modified != 0 ? lock_rc : ompd_rc_ok;
    if (rc != ompd_rc_ok && scene->building == 0)
        scene->build_failure =
            (uint8_t)(rc == ompd_rc_unavailable ? ompd_cl_status_unknown : failure);
    return ompd_rc_ok;
}

/* Set the bytes of ITEM. */
static ompd_rc_t item_count(struct address_space *space, struct embree_item *item,
                            struct tally *tally)
{
    const struct embree_table *table = embree_item_table(space->layout->embree, item);
    struct sum sum = {.space = space, .tally = tally};
    ompd_rc_t rc = object_add(&sum, table, item->handle);

    if (rc == ompd_rc_ok)
        rc = owned_add(&sum, table, item->handle);
    item->bytes = sum.bytes;
    item->unsettled = sum.unsettled;
    if (sum.is_partial)
        item->marks |= embree_partial;
    if (rc == ompd_rc_ok && item->kind == layout_class_buffer)
        rc = buffer_count(space, item);
    if (rc == ompd_rc_ok && item->kind == layout_class_scene)
        rc = scene_find_build(space, item);
    if (item->building != 0 || item->build_failure != 0 || item->kind == layout_class_user_bvh)
        item->unsettled += sum.blocks;
    return rc;
}

/* Add MORE to *BYTES of DEVICE. */
static void device_add_bytes(struct embree_item *device, uint64_t *bytes, uint64_t more)
{
    if (more <= EMBREE_BYTES_LIMIT - *bytes)
        *bytes += more;
    else
        device->marks |= embree_partial;
}

/* Add ITEM to its device. */
static void device_add(struct embree_source *source, const struct embree_item *item)
{
    struct embree_item *device = &source->items[item->device];

    device->marks |= item->marks & (embree_partial | embree_unread);
    device_add_bytes(device, &device->shared, item->shared);
    device_add_bytes(device, &device->bytes, item->bytes);
    device_add_bytes(device, &device->unsettled, item->unsettled);
    device->building |= item->building;
    if (item->build_failure != 0)
        device->build_failure = item->build_failure;
    device->modified |= item->modified;
}

ompd_rc_t embree_bytes_count(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;
    struct tally tally = {.visited = {.memory = space->target.memory}, .steps = STEP_LIMIT};
    ompd_rc_t rc = ompd_rc_ok;

    read_ahead_begin(&space->target);
    for (uint32_t i = 0; i < source->count && rc == ompd_rc_ok; i++)
        rc = item_count(space, &source->items[i], &tally);
    for (uint32_t i = 0; i < source->count && rc == ompd_rc_ok; i++) {
        if (source->items[i].device != EMBREE_NONE && source->items[i].device != i)
            device_add(source, &source->items[i]);
    }
    read_ahead_end(&space->target);
    embree_visited_close(&tally.visited);
    return rc;
}
