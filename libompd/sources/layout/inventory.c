/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inventory: every OpenCL object that the layouts find in the target at one stop, from one scan
 * of its writable memory. */
#include "sources/layout/discovery.h"

#include <string.h>

/* ---- Taking it ------------------------------------------------------------------------------- */

/* Reserve one more item, in *ITEM. Returns ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t reserve_item(struct inventory *inventory, struct memory *memory,
                              struct inventory_item **item)
{
    if (inventory->last == NULL || inventory->last->count == INVENTORY_BLOCK_ITEMS) {
        struct inventory_block *block;
        void *allocated;
        ompd_rc_t rc;

        rc = memory_allocate(memory, sizeof(*block), &allocated);
        if (rc != ompd_rc_ok)
            return rc;
        block = allocated;
        block->next = NULL;
        block->count = 0;
        if (inventory->last != NULL)
            inventory->last->next = block;
        else
            inventory->first = block;
        inventory->last = block;
    }
    *item = &inventory->last->items[inventory->last->count++];
    return ompd_rc_ok;
}

static ompd_rc_t fill_items(struct inventory *inventory, const struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct inventory_item *item;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if ((candidate->flags & candidate_is_chosen) == 0)
            continue;
        rc = reserve_item(inventory, discovery->target->memory, &item);
        if (rc != ompd_rc_ok)
            return rc;
        memset(item, 0, sizeof(*item));
        item->handle = candidate->handle;
        item->held = candidate->held;
        item->kind = candidate->kind;
        item->runtime = candidate->runtime;
        item->confidence = confidence_of(discovery, candidate) & 15;
        item->doubt = candidate->doubt;
        if ((candidate->flags & candidate_dying) != 0)
            item->marks |= inventory_dying;
        if ((candidate->flags & candidate_is_deferred) != 0) {
            item->marks |= inventory_deferred;
            inventory->deferred += item->confidence != ompd_cl_confidence_doubtful;
        }
        if (candidate->is_destroyed)
            item->marks |= inventory_destroyed;
        if ((candidate->flags & candidate_internal) != 0)
            item->marks |= inventory_internal;
        if ((candidate->flags & candidate_is_discarded) != 0)
            item->marks |= inventory_copy;
        if (candidate->is_one_of)
            item->marks |= inventory_one_of;
        inventory->counts[candidate->kind]++;
        if (candidate->kind == layout_context)
            inventory->runtimes_in_use |= UINT32_C(1) << candidate->runtime;
    }
    return ompd_rc_ok;
}

/* Find the objects and classify them. Returns ompd_rc_ok also when some memory could not be read;
 * ompd_rc_incomplete when the tool cancelled; else as inventory_take. */
static ompd_rc_t discover_objects(struct discovery *discovery)
{
    ompd_rc_t rc;

    rc = match_candidates(discovery);
    if (discovery->scan.is_cancelled || (rc != ompd_rc_ok && rc != ompd_rc_incomplete))
        return rc;
    classify_candidates(discovery);
    rc = destruction_verify(discovery);
    if (rc == ompd_rc_ok)
        rc = deferred_destructors_find(discovery);
    if (rc == ompd_rc_ok)
        rc = runtime_data_check(discovery->runtimes, discovery->target, &discovery->scan);
    if (rc == ompd_rc_ok)
        rc = confidence_check(discovery);
    if (rc == ompd_rc_ok)
        unrecognised_count(discovery);
    if (rc == ompd_rc_ok)
        rc = kin_audit(discovery);
    return rc;
}

/* The return code for an inventory that is complete for this stop. */
static ompd_rc_t inventory_answer(const struct inventory *inventory, struct target *target)
{
    if (inventory->failure == 0)
        return ompd_rc_ok;
    target->failure = inventory->failure;
    return ompd_rc_incomplete;
}

/* Log what was found, and in how much memory. Returns as log_line_print does. */
static ompd_rc_t log_inventory(const struct inventory *inventory, const struct target *target)
{
    struct message line;
    uint64_t count = 0;

    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++)
        count += inventory->counts[kind];
    log_line_begin(&line);
    message_add(&line, "search for objects: ");
    message_add_decimal(&line, count);
    message_add(&line, " found in ");
    message_add_decimal(&line, inventory->scanned);
    message_add(&line, " bytes, ");
    message_add_decimal(&line, shortfall_bytes(&inventory->missing));
    message_add(&line, " bytes not searched");
    return log_line_print(&target->log, ompd_cl_log_level_decision, &line);
}

ompd_rc_t inventory_take(struct inventory *inventory, struct target *target, struct code *code,
                         const struct runtimes *runtimes)
{
    struct discovery discovery = {
        .target = target,
        .code = code,
        .runtimes = runtimes,
        .candidates = {.memory = target->memory},
        .rejected = {.memory = target->memory},
    };
    ompd_rc_t rc;

    if (inventory->stop == target->stop)
        return inventory_answer(inventory, target);
    inventory_free(inventory, target->memory);
    rc = discover_objects(&discovery);
    if (rc == ompd_rc_ok)
        rc = fill_items(inventory, &discovery);
    candidates_free(&discovery.candidates);
    candidates_free(&discovery.rejected);
    if (rc != ompd_rc_ok) {
        inventory_free(inventory, target->memory);
        return rc;
    }
    inventory->stop = target->stop;
    inventory->scanned = discovery.scan.scanned;
    inventory->missing = discovery.scan.missing;
    inventory->failure = discovery.scan.failure;
    inventory->has_lost_regions = discovery.scan.has_lost_regions;
    inventory->untouched = discovery.scan.untouched;
    memcpy(inventory->unrecognised, discovery.unrecognised, sizeof(inventory->unrecognised));
    memcpy(inventory->kin_verdicts, discovery.kin_verdicts, sizeof(inventory->kin_verdicts));
    if (log_has(&target->log, ompd_cl_log_level_decision) &&
        log_inventory(inventory, target) == ompd_rc_interrupted)
        return ompd_rc_interrupted;
    return inventory_answer(inventory, target);
}

void inventory_free(struct inventory *inventory, struct memory *memory)
{
    struct inventory_block *block = inventory->first;

    while (block != NULL) {
        struct inventory_block *next = block->next;

        memory_free(memory, block);
        block = next;
    }
    memset(inventory, 0, sizeof(*inventory));
}

void inventory_disprove(struct inventory *inventory, struct target *target, uint64_t address)
{
    uint64_t bytes = untouched_disprove(&inventory->untouched, target, address);

    if (bytes == 0)
        return;
    inventory->missing.unsaved += bytes;
    inventory->failure = ompd_cl_status_not_saved;
}

/* ---- Lookup ---------------------------------------------------------------------------------- */

static uint64_t inventory_item_handle(const void *items, uint64_t index)
{
    return ((const struct inventory_item *)items)[index].handle;
}

struct inventory_item *inventory_find(const struct inventory *inventory, uint64_t handle)
{
    struct inventory_block *block = inventory->first;
    uint64_t index;

    while (block != NULL && block->items[block->count - 1].handle < handle)
        block = block->next;
    if (block == NULL)
        return NULL;
    index = search_first(block->items, block->count, inventory_item_handle, handle);
    return block->items[index].handle == handle ? &block->items[index] : NULL;
}

const struct inventory_item *inventory_find_below(const struct inventory *inventory,
                                                  uint64_t address)
{
    const struct inventory_block *block = inventory->first;
    uint64_t index;

    if (block == NULL || block->items[0].handle > address)
        return NULL;
    while (block->next != NULL && block->next->items[0].handle <= address)
        block = block->next;
    index = search_first(block->items, block->count, inventory_item_handle, address);
    if (index == block->count || block->items[index].handle != address)
        index--;
    return &block->items[index];
}

void inventory_begin(const struct inventory *inventory, struct inventory_cursor *cursor)
{
    *cursor = (struct inventory_cursor){inventory->first, 0, inventory->stop};
}

const struct inventory_item *inventory_next(struct inventory_cursor *cursor, uint32_t kinds)
{
    for (; cursor->block != NULL; cursor->block = cursor->block->next, cursor->index = 0) {
        while (cursor->index < cursor->block->count) {
            const struct inventory_item *item = &cursor->block->items[cursor->index++];

            if ((kinds >> item->kind & 1) != 0)
                return item;
        }
    }
    return NULL;
}
