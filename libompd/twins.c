/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "twins.h"

#include <string.h>

/* Twins of which it is asked whether they lie in a module's data: law 6. */
#define ASK_LIMIT 64

/* More than one could be the original. */
#define MANY UINT32_MAX

/* What speaks for the original, the more the higher. */
enum rank {
    rank_static, /* it lies in the data of a file, where no runtime makes objects */
    rank_plain,
    rank_named /* another object names it */
};

/* The candidates with one key. */
struct group {
    uint32_t first;    /* index, plus 1; 0: no group yet */
    uint32_t original; /* index, plus 1; 0: not looked for; or MANY */
    uint32_t rank;
};

struct twins {
    struct judgement *judgement;
    uint64_t (*key)(const struct judgement *judgement, const struct candidate *candidate);
    struct group *groups;
    uint64_t mask; /* groups there is room for, less 1; a power of two */
    uint32_t asked;
};

/* The candidate's key; 0 where it does not count. */
static uint64_t key_of(const struct twins *twins, const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
                   (candidate->flags & candidate_dying) == 0
               ? twins->key(twins->judgement, candidate)
               : 0;
}

/* The group of CANDIDATE, whose key is KEY: a new one if there is none. */
static struct group *group_of(const struct twins *twins, const struct candidate *candidate,
                              uint64_t key)
{
    uint64_t place = (key ^ (uint64_t)candidate->kind << 56) * UINT64_C(0x9e3779b97f4a7c15);

    for (place ^= place >> 32;; place++) {
        struct group *group = &twins->groups[place & twins->mask];
        const struct candidate *first;

        if (group->first == 0)
            return group;
        first = candidate_at(&twins->judgement->candidates, group->first - 1);
        if (first->kind == candidate->kind && first->runtime == candidate->runtime &&
            twins->key(twins->judgement, first) == key)
            return group;
    }
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

/* Put all candidates in their groups.  Those that are not alone get their `twin`; true when there
 * are such. */
static bool form_groups(struct twins *twins)
{
    const struct candidates *all = &twins->judgement->candidates;
    bool has_twins = false;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        uint64_t key = key_of(twins, candidate);
        struct group *group;

        if (key == 0)
            continue;
        group = group_of(twins, candidate, key);
        if (group->first == 0) {
            group->first = i + 1;
            continue;
        }
        candidate->twin = group->first;
        candidate_at(all, group->first - 1)->twin = group->first;
        has_twins = true;
    }
    return has_twins;
}

/* Tell whether CANDIDATE was found to be a twin in this search. */
static bool is_twin(const struct twins *twins, const struct candidate *candidate)
{
    return candidate->twin != 0 && candidate->doubt == ompd_cl_doubt_none &&
           key_of(twins, candidate) != 0;
}

/* See which of each group is the original. */
static void find_originals(struct twins *twins)
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        enum rank rank = rank_plain;
        struct group *group;

        if (!is_twin(twins, candidate))
            continue;
        if ((candidate->flags & candidate_is_named) != 0)
            rank = rank_named;
        else if (is_static(twins, candidate->handle))
            rank = rank_static;
        group = group_of(twins, candidate, key_of(twins, candidate));
        if (group->original == 0 || rank > group->rank) {
            group->original = i + 1;
            group->rank = rank;
        } else if (rank == group->rank) {
            group->original = MANY;
        }
    }
}

/* Doubt the others. */
static void doubt_copies(struct twins *twins, void (*copy)(struct judgement *judgement,
                                                           const struct candidate *candidate))
{
    const struct candidates *all = &twins->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        const struct group *group;

        if (!is_twin(twins, candidate))
            continue;
        group = group_of(twins, candidate, key_of(twins, candidate));
        if (group->original == i + 1)
            continue;
        if (group->original != MANY || group->first != i + 1)
            copy(twins->judgement, candidate);
        candidate->doubt = candidate->identity != 0 && (candidate->flags & candidate_owns) == 0
                               ? ompd_cl_doubt_same_number
                               : ompd_cl_doubt_twin;
    }
}

ompd_rc_t twins_find(struct judgement *judgement,
                     uint64_t (*key)(const struct judgement *judgement,
                                     const struct candidate *candidate),
                     void (*copy)(struct judgement *judgement, const struct candidate *candidate))
{
    struct twins twins = {.judgement = judgement, .key = key};
    uint64_t room = 1;
    uint64_t count = 0;
    void *block;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < judgement->candidates.count; i++)
        count += key_of(&twins, candidate_at(&judgement->candidates, i)) != 0;
    if (count < 2)
        return ompd_rc_ok;
    while (room < count * 2)
        room *= 2;
    rc = memory_allocate(judgement->target->memory, room * sizeof(struct group), &block);
    if (rc != ompd_rc_ok)
        return rc;
    twins.groups = block;
    twins.mask = room - 1;
    memset(twins.groups, 0, room * sizeof(struct group));
    if (form_groups(&twins)) {
        find_originals(&twins);
        doubt_copies(&twins, copy);
    }
    memory_free(judgement->target->memory, block, room * sizeof(struct group));
    return ompd_rc_ok;
}
