/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/layout/discovery.h"

#include <string.h>

/* The objects of one kind. */
struct tally {
    uint32_t count;
    uint32_t in_chunks;
    uint16_t size; /* that has the majority among those in chunks, if one has */
    uint32_t lead; /* by which it is ahead of the others */
};

/* Count the candidate. Different sizes cancel each other, so that a majority remains (Boyer and
 * Moore). */
static void tally_add(struct tally *tally, const struct candidate *candidate)
{
    tally->count++;
    if (candidate->chunk == 0)
        return;
    tally->in_chunks++;
    if (tally->lead == 0)
        tally->size = candidate->chunk;
    if (tally->size == candidate->chunk)
        tally->lead++;
    else
        tally->lead--;
}

/* Platforms and devices may be in the runtime's own data. */
static bool is_counted(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
           (candidate->flags & candidate_chunk_lost) == 0 && candidate->kind != layout_platform &&
           candidate->kind != layout_device;
}

void typical_chunks_find(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct tally tallies[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
    struct tally sums[RUNTIME_LIMIT];

    memset(tallies, 0, sizeof(tallies));
    memset(sums, 0, sizeof(sums));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (!is_counted(candidate))
            continue;
        tally_add(&tallies[candidate->runtime][candidate->kind], candidate);
        tally_add(&sums[candidate->runtime], candidate);
    }
    for (unsigned runtime = 0; runtime < RUNTIME_LIMIT; runtime++) {
        for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
            const struct tally *tally = &tallies[runtime][kind];
            bool is_typical =
                tally->in_chunks > tally->count / 2 ||
                (tally->in_chunks > 0 && sums[runtime].in_chunks > sums[runtime].count / 2);

            discovery->typical_chunks[runtime][kind] = is_typical ? tally->size : 0;
        }
    }
}
