/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "discovery/duplicates.h"

#include "base/hash.h"

#include <string.h>

/* Twins of which it is asked where they lie: law 6. */
#define ASK_LIMIT 64

/* More than one could be the original. */
#define MANY UINT32_MAX

/* What speaks for the original, the more the higher. */
enum rank {
    rank_dying,  /* another has references */
    rank_static, /* it lies in the data of a file, where no runtime makes objects */
    rank_plain,
    rank_chunk, /* it has a chunk of the allocator's: a runtime may make it on a stack and move it
                 */
    rank_usual, /* that is as large as those of most objects of its kind */
    rank_named  /* another object names it */
};

/* The candidates with one key, where there are several. */
struct group {
    uint32_t first;    /* index, plus 1 */
    uint32_t original; /* index, plus 1; 0: not looked for; or MANY */
    uint32_t rank;     /* of that one */
    uint32_t in_chunk; /* index, plus 1, of one that is in a chunk of the allocator's; 0: none is */
    bool has_plain;    /* one has that rank */
};

struct twins {
    struct judgement *judgement;
    uint64_t (*key)(const struct judgement *judgement, const struct candidate *candidate);
    uint32_t *slots;      /* by key: index of the first candidate with it, plus 1; 0: free */
    uint64_t mask;        /* slots there are, less 1; a power of two */
    uint32_t group_count; /* a candidate's `twin` is the number of its group, from 1 */
    struct group *groups;
    uint32_t asked;
};

typedef void judge_function_t(struct twins *twins, void (*copy)(struct judgement *judgement,
                                                                struct candidate *candidate));

/* The candidate's key; 0 where it does not count. */
static uint64_t key_of(const struct twins *twins, const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 ? twins->key(twins->judgement, candidate)
                                                         : 0;
}

/* So many slots are looked at for a candidate, of which half are free: law 6.  Only keys that were
 * made for it need more. */
#define PROBE_LIMIT 256

/* The slot of the candidates like CANDIDATE, whose key is KEY; NULL when it was not found. */
static uint32_t *slot_of(const struct twins *twins, const struct candidate *candidate, uint64_t key)
{
    uint64_t place = hash_add(key, (uint64_t)candidate->kind << 56);

    place ^= place >> 32;
    for (unsigned i = 0; i < PROBE_LIMIT; i++) {
        uint32_t *slot = &twins->slots[(place + i) & twins->mask];
        const struct candidate *first;

        if (*slot == 0)
            return slot;
        first = candidate_at(&twins->judgement->candidates, *slot - 1);
        if (first->kind == candidate->kind && first->runtime == candidate->runtime &&
            twins->key(twins->judgement, first) == key)
            return slot;
    }
    return NULL;
}

/* Tell whether ADDRESS lies in a module. */
static bool is_static(struct twins *twins, uint64_t address)
{
    struct target *target = twins->judgement->target;
    struct module module;

    if (twins->asked++ >= ASK_LIMIT)
        return false;
    for (uint32_t i = 0; module_get(target, i, &module) == ompd_rc_ok; i++) {
        if (address >= module.start && address < module.end)
            return true;
    }
    return false;
}

/* Number the groups of candidates with the same key. */
static void form_groups(struct twins *twins)
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        uint64_t key = key_of(twins, candidate);
        struct candidate *first;
        uint32_t *slot;

        candidate->twin = 0;
        if (key == 0)
            continue;
        slot = slot_of(twins, candidate, key);
        if (slot == NULL) {
            candidate->flags |= candidate_is_unproved;
            continue;
        }
        if (*slot == 0) {
            *slot = i + 1;
            continue;
        }
        first = candidate_at(all, *slot - 1);
        if (first->twin == 0)
            first->twin = ++twins->group_count;
        candidate->twin = first->twin;
    }
}

static enum rank rank_of(struct twins *twins, const struct candidate *candidate)
{
    uint16_t usual = twins->judgement->usual_chunks[candidate->runtime][candidate->kind];

    if ((candidate->flags & candidate_dying) != 0)
        return rank_dying;
    if ((candidate->flags & candidate_is_named) != 0)
        return rank_named;
    if (is_static(twins, candidate->handle) || candidate->doubt == ompd_cl_doubt_place)
        return rank_static;
    if (usual != 0 && candidate->chunk == usual)
        return rank_usual;
    return candidate->chunk != 0 ? rank_chunk : rank_plain;
}

/* See which of each group is the original. */
static void find_originals(struct twins *twins)
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        enum rank rank;
        struct group *group;

        if (candidate->twin == 0)
            continue;
        rank = rank_of(twins, candidate);
        group = &twins->groups[candidate->twin - 1];
        group->has_plain |= rank == rank_plain;
        if (group->original == 0)
            group->first = i + 1;
        if (group->original == 0 || rank > group->rank) {
            group->original = i + 1;
            group->rank = rank;
        } else if (rank == group->rank) {
            group->original = MANY;
        }
    }
}

/* Doubt the others. */
static void doubt_copies(struct twins *twins,
                         void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        const struct group *group;

        if (candidate->twin == 0)
            continue;
        group = &twins->groups[candidate->twin - 1];
        if (group->original == i + 1) {
            if (group->rank == rank_chunk && group->has_plain)
                candidate->flags |= candidate_is_unproved;
            continue;
        }
        if (group->original == MANY && group->first == i + 1)
            candidate->is_one_of = true;
        else
            copy(twins->judgement, candidate);
        candidate->doubt = candidate->identity != 0 && (candidate->flags & candidate_owns) == 0
                               ? ompd_cl_doubt_same_number
                               : ompd_cl_doubt_twin;
    }
}

/* Allocate SIZE bytes that are 0. */
static ompd_rc_t allocate(const struct twins *twins, size_t size, void **block)
{
    ompd_rc_t rc = memory_allocate(twins->judgement->target->memory, size, block);

    if (rc == ompd_rc_ok)
        memset(*block, 0, size);
    return rc;
}

static void doubt_others(struct twins *twins,
                         void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    find_originals(twins);
    doubt_copies(twins, copy);
}

/* Tell whether CANDIDATE lies apart from one of its group that is in a chunk.  Where another
 * allocator is used, what looks like a chunk is among objects that are in none. */
static bool is_stray(struct twins *twins, const struct candidate *candidate)
{
    const struct judgement *judgement = twins->judgement;
    uint32_t in_chunk;

    if (candidate->twin == 0 || candidate->chunk != 0 ||
        (candidate->flags & (candidate_is_named | candidate_chunk_lost)) != 0)
        return false;
    in_chunk = twins->groups[candidate->twin - 1].in_chunk;
    return in_chunk != 0 && twins->asked++ < ASK_LIMIT &&
           !region_has_both(judgement->target, candidate->handle,
                            candidate_at(&judgement->candidates, in_chunk - 1)->handle);
}

static void doubt_strays(struct twins *twins,
                         void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (candidate->twin != 0 && candidate->chunk != 0)
            twins->groups[candidate->twin - 1].in_chunk = i + 1;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_stray(twins, candidate))
            continue;
        copy(twins->judgement, candidate);
        candidate->doubt = ompd_cl_doubt_place;
    }
}

/* Have the groups that were formed judged. */
static ompd_rc_t judge_groups(struct twins *twins, judge_function_t *judge,
                              void (*copy)(struct judgement *judgement,
                                           struct candidate *candidate))
{
    size_t size = twins->group_count * sizeof(struct group);
    void *block;
    ompd_rc_t rc;

    if (twins->group_count == 0)
        return ompd_rc_ok;
    rc = allocate(twins, size, &block);
    if (rc != ompd_rc_ok)
        return rc;
    twins->groups = block;
    judge(twins, copy);
    memory_free(twins->judgement->target->memory, block, size);
    return ompd_rc_ok;
}

/* Form groups of the candidates with the same key, and have JUDGE tell COPY of those in doubt. */
static ompd_rc_t find(struct twins *twins, judge_function_t *judge,
                      void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    struct judgement *judgement = twins->judgement;
    uint64_t room = 1;
    uint64_t count = 0;
    void *block;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < judgement->candidates.count; i++)
        count += key_of(twins, candidate_at(&judgement->candidates, i)) != 0;
    if (count < 2)
        return ompd_rc_ok;
    while (room < count * 2)
        room *= 2;
    rc = allocate(twins, room * sizeof(uint32_t), &block);
    if (rc != ompd_rc_ok)
        return rc;
    twins->slots = block;
    twins->mask = room - 1;
    form_groups(twins);
    memory_free(judgement->target->memory, block, room * sizeof(uint32_t));
    return judge_groups(twins, judge, copy);
}

ompd_rc_t twins_find(struct judgement *judgement,
                     uint64_t (*key)(const struct judgement *judgement,
                                     const struct candidate *candidate),
                     void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    struct twins twins = {.judgement = judgement, .key = key};

    return find(&twins, doubt_others, copy);
}

ompd_rc_t twins_find_strays(struct judgement *judgement,
                            uint64_t (*key)(const struct judgement *judgement,
                                            const struct candidate *candidate),
                            void (*copy)(struct judgement *judgement, struct candidate *candidate))
{
    struct twins twins = {.judgement = judgement, .key = key};

    return find(&twins, doubt_strays, copy);
}
