/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "discovery/typical-chunk.h"

#include <string.h>

/* The objects of one kind. */
struct tally {
    uint32_t count;
    uint32_t in_chunks;
    uint16_t size; /* that has the majority among those in chunks, if one has */
    uint32_t lead; /* by which it is ahead of the others */
};

/* Count the candidate.  Sizes are counted against each other, so that one held by the majority is
 * left at the end. */
static void add(struct tally *tally, const struct candidate *candidate)
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

/* Platforms and devices live as long as their runtime, which may have them in its data. */
static bool counts(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
           (candidate->flags & candidate_chunk_lost) == 0 && candidate->kind != layout_platform &&
           candidate->kind != layout_device;
}

void find_usual_chunks(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;
    struct tally tallies[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
    struct tally sums[RUNTIME_LIMIT];

    memset(tallies, 0, sizeof(tallies));
    memset(sums, 0, sizeof(sums));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (!counts(candidate))
            continue;
        add(&tallies[candidate->runtime][candidate->kind], candidate);
        add(&sums[candidate->runtime], candidate);
    }
    for (unsigned runtime = 0; runtime < RUNTIME_LIMIT; runtime++) {
        for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
            const struct tally *tally = &tallies[runtime][kind];
            bool is_usual =
                tally->in_chunks > tally->count / 2 ||
                (tally->in_chunks > 0 && sums[runtime].in_chunks > sums[runtime].count / 2);

            judgement->usual_chunks[runtime][kind] = is_usual ? tally->size : 0;
        }
    }
}
