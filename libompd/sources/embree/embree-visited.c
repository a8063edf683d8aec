/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What was counted already: in corrupt memory, lists may lead in a cycle and objects have several
 * owners. */
#include "sources/embree/embree.h"

#include <string.h>

/* Slots of the first table; a power of two, like all sizes. */
#define LEAST_SLOTS 1024

/* What is visited starts at a multiple of this many bytes, as malloc has it. */
#define ALIGNMENT 8

/* The slot of ADDRESS, or the free one for it. */
static uint64_t *visited_slot(uint64_t *slots, uint32_t capacity, uint64_t address)
{
    uint32_t index = (uint32_t)(hash_add(0, address) >> 32) & (capacity - 1);

    while (slots[index] != 0 && slots[index] != address)
        index = (index + 1) & (capacity - 1);
    return &slots[index];
}

/* Make room for another address: at most half of the slots are used. */
static ompd_rc_t visited_grow(struct embree_visited *visited)
{
    uint32_t capacity = visited->capacity == 0 ? LEAST_SLOTS : 2 * visited->capacity;
    uint64_t *slots;
    void *allocated;
    ompd_rc_t rc;

    if (visited->count < visited->capacity / 2)
        return ompd_rc_ok;
    rc = memory_allocate(visited->memory, capacity * sizeof(*slots), &allocated);
    if (rc != ompd_rc_ok)
        return rc;
    slots = memset(allocated, 0, capacity * sizeof(*slots));
    for (uint32_t i = 0; i < visited->capacity; i++) {
        if (visited->slots[i] != 0)
            *visited_slot(slots, capacity, visited->slots[i]) = visited->slots[i];
    }
    memory_free(visited->memory, visited->slots);
    visited->slots = slots;
    visited->capacity = capacity;
    return ompd_rc_ok;
}

ompd_rc_t embree_visited_add(struct embree_visited *visited, uint64_t address)
{
    uint64_t *slot;
    ompd_rc_t rc;

    if (address == 0 || address % ALIGNMENT != 0 || visited->count == EMBREE_VISIT_LIMIT)
        return ompd_rc_incomplete;
    rc = visited_grow(visited);
    if (rc != ompd_rc_ok)
        return rc;
    slot = visited_slot(visited->slots, visited->capacity, address);
    if (*slot == address)
        return ompd_rc_unavailable;
    *slot = address;
    visited->count++;
    return ompd_rc_ok;
}

void embree_visited_close(struct embree_visited *visited)
{
    memory_free(visited->memory, visited->slots);
}
