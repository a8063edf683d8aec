/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decides which candidates are objects, and of which kind: those that name objects of the right
 * kinds. */
#include "sources/layout/discovery.h"

#include <string.h>

#define KIND(name) (1u << layout_##name)
#define LONGEST_NAMING 2

/* The last lookup, because neighbours usually name the same object. */
struct hint {
    uint64_t handle;
    uint32_t index; /* plus 1 */
};

struct choice {
    struct discovery *discovery;
    uint16_t bits[RUNTIME_LIMIT][LAYOUT_KIND_COUNT]; /* how many bits the rules of a kind fix */
    uint32_t kinds[RUNTIME_LIMIT];                   /* that its layout knows */
    struct hint hints[LAYOUT_KIND_COUNT];            /* by the kind that names */
    struct hint context;
    uint32_t with_data; /* bits 1 << index of the runtimes that have objects with dispatch data */
    bool has_bare;      /* some have none, although the layout says that a loader sets it */
};

/* The number of bits that RULE fixes. */
static uint16_t rule_bits(const struct layout_rule *rule)
{
    uint64_t room = rule->most - rule->least;
    uint16_t bits = (uint16_t)(rule->width * 8);

    while (room > 0 && bits > 0) {
        room >>= 1;
        bits--;
    }
    return bits;
}

/* The candidate of HANDLE, of one of KINDS, in the runtime of FROM; its index plus 1, or 0. */
static uint32_t resolve_name(const struct choice *choice, const struct candidate *from,
                             uint64_t handle, uint32_t kinds, struct hint *hint)
{
    const struct candidates *all = &choice->discovery->candidates;

    if (hint->handle == handle && candidate_at(all, hint->index - 1)->runtime == from->runtime)
        return hint->index;
    for (uint32_t i = candidates_find(all, handle); i < all->count; i++) {
        const struct candidate *found = candidate_at(all, i);

        if (found->handle != handle)
            break;
        if (found->runtime != from->runtime || (kinds >> found->kind & 1) == 0)
            continue;
        *hint = (struct hint){handle, i + 1};
        return i + 1;
    }
    return 0;
}

/* Whether the objects that CANDIDATE names were found and are of the right kinds. A name in
 * unreadable memory, or of a kind that the layout does not cover, counts neither way. */
static bool names_are_supported(struct choice *choice, struct candidate *candidate)
{
    struct discovery *discovery = choice->discovery;
    uint32_t known = choice->kinds[candidate->runtime];
    const struct layout_naming *naming = layout_naming_of(candidate->kind);
    uint32_t others = naming != NULL ? naming->named & known : 0;

    if (candidate->context != 0 && (KIND(context) & known) != 0) {
        candidate->context_index =
            resolve_name(choice, candidate, candidate->context, KIND(context), &choice->context);
        candidate->support += candidate->context_index != 0;
        if (candidate->context_index == 0) {
            if (!scan_has_lost(&discovery->scan, discovery->target, candidate->context))
                return false;
            candidate->flags |= candidate_context_lost;
        }
    }
    if (candidate->other == 0 || others == 0)
        return true;
    candidate->other_index =
        resolve_name(choice, candidate, candidate->other, others, &choice->hints[candidate->kind]);
    candidate->support += candidate->other_index != 0;
    return candidate->other_index != 0 || candidate_may_outlive(candidate) ||
           scan_has_lost(&discovery->scan, discovery->target, candidate->other);
}

/* By how much ONE fits better than OTHER, of the same handle: live before dying, then by the number
 * of objects that it names. */
static int compare_fit(const struct candidate *one, const struct candidate *other)
{
    int live = (other->flags & candidate_dying) - (one->flags & candidate_dying);

    return live != 0 ? live : one->support - other->support;
}

/* Classify the candidates [FIRST, END), all of one handle. Among equal ones the kind with the
 * narrowest rules wins, which is not a proof. */
static void classify_handle(struct choice *choice, uint32_t first, uint32_t end)
{
    const struct candidates *all = &choice->discovery->candidates;
    struct candidate *best = NULL;
    bool is_open = false;

    for (uint32_t i = first; i < end; i++) {
        struct candidate *candidate = candidate_at(all, i);
        int better;

        if ((candidate->flags & candidate_is_supported) == 0)
            continue;
        better = best != NULL ? compare_fit(candidate, best) : 1;
        if (better != 0)
            is_open = is_open && better < 0;
        else
            is_open = true;
        if (better > 0 || (better == 0 && choice->bits[candidate->runtime][candidate->kind] >
                                              choice->bits[best->runtime][best->kind]))
            best = candidate;
    }
    if (best == NULL)
        return;
    best->flags |= candidate_is_chosen;
    if (is_open)
        best->doubt = ompd_cl_doubt_kind;
    if ((best->flags & candidate_is_bare) == 0 &&
        candidate_layout(choice->discovery, best)->dispatch_data.width != 0)
        choice->with_data |= UINT32_C(1) << best->runtime;
}

static void learn_kinds(struct choice *choice)
{
    const struct runtimes *runtimes = choice->discovery->runtimes;

    for (uint32_t i = 0; i < runtimes->count; i++) {
        if (runtimes->all[i].layout == NULL)
            continue;
        for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
            const struct layout_object *object = &runtimes->all[i].layout->objects[kind];

            if (object->is_there)
                choice->kinds[i] |= 1u << kind;
            for (uint32_t rule = 0; rule < object->rule_count; rule++)
                choice->bits[i][kind] =
                    (uint16_t)(choice->bits[i][kind] + rule_bits(&object->rules[rule]));
        }
    }
}

/* Whether INDEX plus 1, 0 for none, belongs to a supported candidate. */
static bool is_index_supported(const struct candidates *all, uint32_t index)
{
    return index == 0 || (candidate_at(all, index - 1)->flags & candidate_is_supported) != 0;
}

/* An object may meet the rules of another kind by chance. A candidate that needs it to be of that
 * kind, as a kernel needs its program, loses its support if it is not. Returns true if one did. */
static bool withdraw_support(const struct candidates *all)
{
    bool is_withdrawn = false;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if ((candidate->flags & candidate_is_supported) == 0 ||
            (is_index_supported(all, candidate->context_index) &&
             is_index_supported(all, candidate->other_index)))
            continue;
        candidate->flags &= (uint16_t)~candidate_is_supported;
        is_withdrawn = true;
    }
    return is_withdrawn;
}

/* Where a loader sets dispatch data, each object that a program got has it. An object without was
 * made earlier, by the runtime for itself. */
static void mark_internal(const struct choice *choice)
{
    const struct candidates *all = &choice->discovery->candidates;

    if (!choice->has_bare || choice->with_data == 0)
        return;
    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if ((candidate->flags & candidate_is_bare) != 0 &&
            (choice->with_data >> candidate->runtime & 1) != 0)
            candidate->flags |= candidate_internal;
    }
}

void classify_candidates(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct choice choice;
    uint32_t end;

    memset(&choice, 0, sizeof(choice));
    choice.discovery = discovery;
    learn_kinds(&choice);
    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!candidate->is_freed && names_are_supported(&choice, candidate))
            candidate->flags |= candidate_is_supported;
        choice.has_bare |= (candidate->flags & candidate_is_bare) != 0;
    }
    /* A kernel names a program, which names an OpenCL context, which names nothing. */
    for (unsigned i = 0; i < LONGEST_NAMING && withdraw_support(all); i++)
        ;
    for (uint32_t first = 0; first < all->count; first = end) {
        uint64_t handle = candidate_at(all, first)->handle;

        for (end = first; end < all->count && candidate_at(all, end)->handle == handle; end++)
            ;
        classify_handle(&choice, first, end);
    }
    mark_internal(&choice);
}

/* ---- The candidates -------------------------------------------------------------------------- */

#define BLOCK_SIZE (CANDIDATES_PER_BLOCK * sizeof(struct candidate))
#define DIRECTORY_SIZE (CANDIDATE_BLOCK_LIMIT * sizeof(struct candidate *))

/* Have room in one more block. */
static ompd_rc_t reserve_block(struct candidates *candidates)
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
        ompd_rc_t rc = reserve_block(candidates);

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
