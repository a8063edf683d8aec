/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates with the same value where no two objects can have it: all but one are copies. */
#include "sources/layout/discovery.h"

#include <string.h>

/* Resolve the memory of at most this many duplicates: law 6. */
#define ASK_LIMIT 64

/* Several may be the original. */
#define MANY UINT32_MAX

/* The evidence that a candidate is the original, strongest last. */
enum rank {
    rank_dying,  /* another has references */
    rank_static, /* it is in the data of a file, where no runtime makes objects */
    rank_plain,
    rank_chunk,   /* it has a chunk of the allocator's: a runtime may make it on a stack and move it
                   */
    rank_typical, /* that is as large as those of most objects of its kind */
    rank_named    /* another object names it */
};

/* The candidates with one key, if there are several. */
struct group {
    uint32_t first;    /* index, plus 1 */
    uint32_t original; /* index, plus 1; 0: not checked; or MANY */
    uint32_t rank;     /* of that one */
    uint32_t in_chunk; /* index plus 1 of one in a malloc chunk; 0: none */
    bool has_plain;    /* one has that rank */
};

struct duplicates {
    struct discovery *discovery;
    uint64_t (*key)(const struct discovery *discovery, const struct candidate *candidate);
    uint32_t *slots;      /* by key: see slot_make; 0: free */
    uint64_t mask;        /* number of slots minus 1; a power of two minus 1 */
    uint32_t group_count; /* a candidate's `duplicate_group` is the number of its group, from 1 */
    struct group *groups;
    uint32_t asked;
};

typedef void judge_function_t(struct duplicates *duplicates,
                              void (*copy)(struct discovery *discovery,
                                           struct candidate *candidate));

/* The candidate's key; 0: it is not compared. */
static uint64_t duplicate_key(const struct duplicates *duplicates,
                              const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0
               ? duplicates->key(duplicates->discovery, candidate)
               : 0;
}

/* A slot has the index plus 1 of the first candidate with its key, and above it as many bits of the
 * key's hash as fit: most candidates with other keys need not be read. */
#define SLOT_INDEX_BITS 27
#define SLOT_INDEX_MASK ((UINT32_C(1) << SLOT_INDEX_BITS) - 1)
_Static_assert((uint64_t)CANDIDATES_PER_BLOCK *CANDIDATE_BLOCK_LIMIT < SLOT_INDEX_MASK,
               "a slot has room for any index");

static uint32_t slot_make(uint32_t index, uint64_t hash)
{
    return (uint32_t)(hash >> 32) << SLOT_INDEX_BITS | (index + 1);
}

static uint32_t slot_index(uint32_t slot)
{
    return (slot & SLOT_INDEX_MASK) - 1;
}

static uint64_t key_hash(const struct candidate *candidate, uint64_t key)
{
    uint64_t hash = hash_add(key, (uint64_t)candidate->kind << 56);

    return hash ^ hash >> 32;
}

/* Slots that are probed for one candidate; half of all are free. Only keys made on purpose need
 * more: law 6. */
#define PROBE_LIMIT 256

/* The slot of candidates like CANDIDATE, with KEY and HASH; NULL if it was not found. */
static uint32_t *find_group_slot(const struct duplicates *duplicates,
                                 const struct candidate *candidate, uint64_t key, uint64_t hash)
{
    for (unsigned i = 0; i < PROBE_LIMIT; i++) {
        uint32_t *slot = &duplicates->slots[(hash + i) & duplicates->mask];
        const struct candidate *first;

        if (*slot == 0)
            return slot;
        if (((*slot ^ slot_make(0, hash)) & ~SLOT_INDEX_MASK) != 0)
            continue;
        first = candidate_at(&duplicates->discovery->candidates, slot_index(*slot));
        if (first->kind == candidate->kind && first->runtime == candidate->runtime &&
            duplicates->key(duplicates->discovery, first) == key)
            return slot;
    }
    return NULL;
}

/* Return whether ADDRESS is in a module. */
static bool lies_in_module(struct duplicates *duplicates, uint64_t address)
{
    struct target *target = duplicates->discovery->target;
    struct module module;

    if (duplicates->asked++ >= ASK_LIMIT)
        return false;
    for (uint32_t i = 0; module_get(target, i, &module) == ompd_rc_ok; i++) {
        if (address >= module.start && address < module.end)
            return true;
    }
    return false;
}

/* Add candidate INDEX, with KEY and HASH, to the group with the same key. */
static void join_group(struct duplicates *duplicates, uint32_t index, uint64_t key, uint64_t hash)
{
    const struct candidates *all = &duplicates->discovery->candidates;
    struct candidate *candidate = candidate_at(all, index);
    uint32_t *slot = find_group_slot(duplicates, candidate, key, hash);
    struct candidate *first;

    if (slot == NULL) {
        candidate->flags |= candidate_is_unproved;
        return;
    }
    if (*slot == 0) {
        *slot = slot_make(index, hash);
        return;
    }
    first = candidate_at(all, slot_index(*slot));
    if (first->duplicate_group == 0)
        first->duplicate_group = ++duplicates->group_count;
    candidate->duplicate_group = first->duplicate_group;
}

/* The slots of this many candidates are prefetched together, because those of a million objects
 * cause cache misses. */
#define FETCHED 16

/* Number the groups of candidates with the same key. */
static void form_groups(struct duplicates *duplicates)
{
    const struct candidates *all = &duplicates->discovery->candidates;
    uint64_t keys[FETCHED];
    uint64_t hashes[FETCHED];

    for (uint32_t start = 0; start < all->count; start += FETCHED) {
        uint32_t count = all->count - start < FETCHED ? all->count - start : FETCHED;

        for (uint32_t i = 0; i < count; i++) {
            struct candidate *candidate = candidate_at(all, start + i);

            candidate->duplicate_group = 0;
            keys[i] = duplicate_key(duplicates, candidate);
            hashes[i] = key_hash(candidate, keys[i]);
            __builtin_prefetch(&duplicates->slots[hashes[i] & duplicates->mask]);
        }
        for (uint32_t i = 0; i < count; i++) {
            if (keys[i] != 0)
                join_group(duplicates, start + i, keys[i], hashes[i]);
        }
    }
}

static enum rank copy_rank(struct duplicates *duplicates, const struct candidate *candidate)
{
    uint16_t typical = duplicates->discovery->typical_chunks[candidate->runtime][candidate->kind];

    if ((candidate->flags & candidate_dying) != 0)
        return rank_dying;
    if ((candidate->flags & candidate_is_named) != 0)
        return rank_named;
    if (lies_in_module(duplicates, candidate->handle) || candidate->doubt == ompd_cl_doubt_place)
        return rank_static;
    if (typical != 0 && candidate->chunk == typical)
        return rank_typical;
    return candidate->chunk != 0 ? rank_chunk : rank_plain;
}

/* Find the original of each group. */
static void find_originals(struct duplicates *duplicates)
{
    const struct candidates *all = &duplicates->discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        enum rank rank;
        struct group *group;

        if (candidate->duplicate_group == 0)
            continue;
        rank = copy_rank(duplicates, candidate);
        group = &duplicates->groups[candidate->duplicate_group - 1];
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

/* Set the doubt of all but the originals. */
static void doubt_copies(struct duplicates *duplicates,
                         void (*copy)(struct discovery *discovery, struct candidate *candidate))
{
    const struct candidates *all = &duplicates->discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        const struct group *group;

        if (candidate->duplicate_group == 0)
            continue;
        group = &duplicates->groups[candidate->duplicate_group - 1];
        if (group->original == i + 1) {
            if (group->rank == rank_chunk && group->has_plain)
                candidate->flags |= candidate_is_unproved;
            continue;
        }
        if (group->original == MANY && group->first == i + 1)
            candidate->is_one_of = true;
        else
            copy(duplicates->discovery, candidate);
        candidate->doubt = candidate->identity != 0 && (candidate->flags & candidate_owns) == 0
                               ? ompd_cl_doubt_same_number
                               : ompd_cl_doubt_twin;
    }
}

/* Allocate SIZE bytes that are 0. */
static ompd_rc_t allocate_zeroed(const struct duplicates *duplicates, size_t size, void **block)
{
    ompd_rc_t rc = memory_allocate(duplicates->discovery->target->memory, size, block);

    if (rc == ompd_rc_ok)
        memset(*block, 0, size);
    return rc;
}

static void doubt_others(struct duplicates *duplicates,
                         void (*copy)(struct discovery *discovery, struct candidate *candidate))
{
    find_originals(duplicates);
    doubt_copies(duplicates, copy);
}

/* Whether CANDIDATE is in no chunk although another one of its group is in one. With another
 * allocator, apparent chunks are among objects that are in none. */
static bool copy_is_stray(struct duplicates *duplicates, const struct candidate *candidate)
{
    const struct discovery *discovery = duplicates->discovery;
    uint32_t in_chunk;

    if (candidate->duplicate_group == 0 || candidate->chunk != 0 ||
        (candidate->flags & (candidate_is_named | candidate_chunk_lost)) != 0)
        return false;
    in_chunk = duplicates->groups[candidate->duplicate_group - 1].in_chunk;
    return in_chunk != 0 && duplicates->asked++ < ASK_LIMIT &&
           !region_has_both(discovery->target, candidate->handle,
                            candidate_at(&discovery->candidates, in_chunk - 1)->handle);
}

static void doubt_strays(struct duplicates *duplicates,
                         void (*copy)(struct discovery *discovery, struct candidate *candidate))
{
    const struct candidates *all = &duplicates->discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (candidate->duplicate_group != 0 && candidate->chunk != 0)
            duplicates->groups[candidate->duplicate_group - 1].in_chunk = i + 1;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!copy_is_stray(duplicates, candidate))
            continue;
        copy(duplicates->discovery, candidate);
        candidate->doubt = ompd_cl_doubt_place;
    }
}

/* Have the groups that were formed judged. */
static ompd_rc_t judge_groups(struct duplicates *duplicates, judge_function_t *judge,
                              void (*copy)(struct discovery *discovery,
                                           struct candidate *candidate))
{
    size_t size = duplicates->group_count * sizeof(struct group);
    void *block;
    ompd_rc_t rc;

    if (duplicates->group_count == 0)
        return ompd_rc_ok;
    rc = allocate_zeroed(duplicates, size, &block);
    if (rc != ompd_rc_ok)
        return rc;
    duplicates->groups = block;
    judge(duplicates, copy);
    memory_free(duplicates->discovery->target->memory, block);
    return ompd_rc_ok;
}

/* Form groups of the candidates with the same key. JUDGE calls COPY for those in doubt. */
static ompd_rc_t find_groups(struct duplicates *duplicates, judge_function_t *judge,
                             void (*copy)(struct discovery *discovery, struct candidate *candidate))
{
    struct discovery *discovery = duplicates->discovery;
    uint64_t room = 1;
    uint64_t count = 0;
    void *block;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < discovery->candidates.count; i++)
        count += duplicate_key(duplicates, candidate_at(&discovery->candidates, i)) != 0;
    if (count < 2)
        return ompd_rc_ok;
    while (room < count * 2)
        room *= 2;
    rc = allocate_zeroed(duplicates, room * sizeof(uint32_t), &block);
    if (rc != ompd_rc_ok)
        return rc;
    duplicates->slots = block;
    duplicates->mask = room - 1;
    form_groups(duplicates);
    memory_free(discovery->target->memory, block);
    return judge_groups(duplicates, judge, copy);
}

ompd_rc_t duplicates_find(struct discovery *discovery,
                          uint64_t (*key)(const struct discovery *discovery,
                                          const struct candidate *candidate),
                          void (*copy)(struct discovery *discovery, struct candidate *candidate))
{
    struct duplicates duplicates = {.discovery = discovery, .key = key};

    return find_groups(&duplicates, doubt_others, copy);
}

ompd_rc_t duplicates_find_strays(struct discovery *discovery,
                                 uint64_t (*key)(const struct discovery *discovery,
                                                 const struct candidate *candidate),
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate))
{
    struct duplicates duplicates = {.discovery = discovery, .key = key};

    return find_groups(&duplicates, doubt_strays, copy);
}
