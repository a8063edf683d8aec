/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/layout/discovery.h"

#define BLOCK_SIZE (CANDIDATES_PER_BLOCK * sizeof(struct candidate))
#define DIRECTORY_SIZE (CANDIDATE_BLOCK_LIMIT * sizeof(struct candidate *))

/* Have room in one more block. */
static ompd_rc_t add_block(struct candidates *candidates)
{
    void *block;
    ompd_rc_t rc;

    if (candidates->blocks == NULL) {
        rc = memory_allocate(candidates->memory, DIRECTORY_SIZE, &block);
        if (rc != ompd_rc_ok)
            return rc;
        candidates->blocks = block;
    }
    if (candidates->block_count == CANDIDATE_BLOCK_LIMIT)
        return ompd_rc_nomem;
    rc = memory_allocate(candidates->memory, BLOCK_SIZE, &block);
    if (rc == ompd_rc_ok)
        candidates->blocks[candidates->block_count++] = block;
    return rc;
}

ompd_rc_t candidates_add(struct candidates *candidates, struct candidate **candidate)
{
    if (candidates->count == candidates->block_count * CANDIDATES_PER_BLOCK) {
        ompd_rc_t rc = add_block(candidates);

        if (rc != ompd_rc_ok)
            return rc;
    }
    *candidate = candidate_at(candidates, candidates->count++);
    return ompd_rc_ok;
}

static uint64_t candidate_handle(const void *candidates, uint64_t index)
{
    return candidate_at(candidates, (uint32_t)index)->handle;
}

uint32_t candidates_find(const struct candidates *candidates, uint64_t handle)
{
    return (uint32_t)search_first(candidates, candidates->count, candidate_handle, handle);
}

void candidates_free(struct candidates *candidates)
{
    for (uint32_t i = 0; i < candidates->block_count; i++)
        memory_free(candidates->memory, candidates->blocks[i]);
    memory_free(candidates->memory, candidates->blocks);
    candidates->blocks = NULL;
    candidates->block_count = 0;
    candidates->count = 0;
}
