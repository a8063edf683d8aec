/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The confidence in each object, derived from reference counts. The program has one reference on an
 * OpenCL context. If the context has exactly one reference more than the objects found account for,
 * no object was missed and none is false: all of them are certain. */
#include "sources/layout/discovery.h"

/* The references that HOLDER may not have yet, or no longer, for elements of its lists that are
 * being created or released at the stop. */
static uint32_t unsettled_share(const struct discovery *discovery, const struct candidate *holder)
{
    const struct layout_object *object = candidate_layout(discovery, holder);
    uint32_t share = 0;

    for (unsigned i = 0; i < LAYOUT_LIST_COUNT; i++)
        if (object->lists[i].shape != layout_no_list && !object->lists[i].holds_named)
            share += (uint32_t)holder->listed * object->lists[i].holds;
    return share;
}

enum refcount_state refcount_state_of(const struct discovery *discovery,
                                      const struct candidate *holder)
{
    if ((holder->flags & candidate_is_counted) == 0)
        return refcount_unknown;
    if (holder->references < holder->held)
        return holder->held - holder->references > unsettled_share(discovery, holder)
                   ? refcount_over
                   : refcount_spent;
    if (holder->references == holder->held)
        return refcount_spent;
    return holder->references - holder->held == 1 && !holder->is_held_on ? refcount_even
                                                                         : refcount_surplus;
}

static bool is_chosen_candidate(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0;
}

static bool candidate_is_live(const struct candidate *candidate)
{
    return is_chosen_candidate(candidate) && (candidate->flags & candidate_dying) == 0;
}

/* The object that CANDIDATE names by INDEX, the candidate's index plus 1; NULL when it is 0. */
static struct candidate *named_by(const struct discovery *discovery, uint32_t index)
{
    return index != 0 ? candidate_at(&discovery->candidates, index - 1) : NULL;
}

/* The number of references that the candidate has on HELD, which it names. An object that the
 * runtime made for itself has none, or its context would never end. While its destructor callbacks
 * run, an object has the references that the runtime releases afterwards. An object that is being
 * destroyed, whose count is 0, is referenced by nothing. */
static inline uint32_t reference_share(const struct discovery *discovery,
                                       const struct candidate *candidate,
                                       const struct candidate *held)
{
    const struct layout_object *object = candidate_layout(discovery, candidate);
    const struct layout_holdings *holdings =
        (candidate->flags & candidate_dying) != 0 ? &object->dying_holds : &object->holds;

    if (held == NULL || (held->flags & candidate_dying) != 0 ||
        (candidate->flags & candidate_internal) != 0 ||
        ((holdings->alone >> held->kind & 1) != 0 && candidate->other != 0))
        return 0;
    return holdings->counts[held->kind];
}

/* Drop the named object at *INDEX if it turned out not to be one. */
static void check_name(const struct discovery *discovery, struct candidate *candidate,
                       uint32_t *index, ompd_cl_doubt_t doubt)
{
    struct candidate *named = named_by(discovery, *index);

    if (named == NULL)
        return;
    if (!is_chosen_candidate(named)) {
        *index = 0;
        if (doubt == ompd_cl_doubt_context || !candidate_may_outlive(candidate))
            candidate->doubt = doubt & 15;
        return;
    }
    named->flags |= candidate_is_named;
}

/* Mark the objects that CANDIDATE names, and count its references on them. */
static void add_named_references(const struct discovery *discovery, struct candidate *candidate)
{
    struct candidate *context;
    struct candidate *other;

    check_name(discovery, candidate, &candidate->context_index, ompd_cl_doubt_context);
    check_name(discovery, candidate, &candidate->other_index, ompd_cl_doubt_kind);
    if ((candidate->flags & candidate_context_lost) != 0)
        candidate->doubt = ompd_cl_doubt_context;
    context = named_by(discovery, candidate->context_index);
    other = named_by(discovery, candidate->other_index);
    if (context != NULL)
        context->held += reference_share(discovery, candidate, context);
    if (other != NULL)
        other->held += reference_share(discovery, candidate, other);
}

/* Stop counting after this many elements of all objects together: law 6. */
#define ELEMENT_LIMIT (1u << 20)

/* Add the references of CANDIDATE that the elements of its lists hold. If they cannot be counted,
 * its reference count proves nothing. */
static void add_listed_references(struct discovery *discovery, struct candidate *candidate,
                                  uint64_t *counted)
{
    const struct layout_object *object = candidate_layout(discovery, candidate);

    for (unsigned i = 0; i < LAYOUT_LIST_COUNT; i++) {
        const struct layout_list_location *list = &object->lists[i];
        struct container container;
        uint64_t count;

        if (list->shape == layout_no_list || list->holds == 0 || list->holds_named)
            continue;
        if (*counted > ELEMENT_LIMIT ||
            container_begin(&container, discovery->target, list, candidate->handle) != ompd_rc_ok ||
            container_count(&container, discovery->target, &count) != ompd_rc_ok) {
            candidate->flags &= (uint16_t)~candidate_is_counted;
            return;
        }
        *counted += container.count;
        candidate->held += (uint32_t)count * list->holds;
        count += candidate->listed;
        candidate->listed = (count < MOST_UNSETTLED ? count : MOST_UNSETTLED) & 7;
    }
}

/* A larger count of an object without known references is probably half of a pointer left in freed
 * memory. So is an unknown one whose lists lead nowhere. */
#define MOST_OWN_REFERENCES 0xffff

/* Count the references found. *HAS_LARGE is whether an object has a large count. One walk does it
 * all, because each of a million candidates causes cache misses. */
static ompd_rc_t count_all_references(struct discovery *discovery, bool *has_large)
{
    const struct candidates *all = &discovery->candidates;
    uint64_t in_commands = 0;
    uint64_t in_lists = 0;
    ompd_rc_t rc = ompd_rc_ok;

    *has_large = false;
    for (uint32_t i = 0; i < all->count && rc == ompd_rc_ok; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_chosen_candidate(candidate))
            continue;
        *has_large |= candidate->references > MOST_OWN_REFERENCES;
        add_named_references(discovery, candidate);
        if (candidate_is_live(candidate))
            add_listed_references(discovery, candidate, &in_lists);
        rc = command_count(discovery, candidate, &in_commands);
    }
    return rc;
}

/* Subtract the references counted for a copy, which holds none. */
static void discard_copy(struct discovery *discovery, struct candidate *candidate)
{
    struct candidate *context = named_by(discovery, candidate->context_index);
    struct candidate *other = named_by(discovery, candidate->other_index);

    if (!is_chosen_candidate(candidate) || (candidate->flags & candidate_is_discarded) != 0)
        return;
    candidate->flags |= candidate_is_discarded;
    if (context != NULL)
        context->held -= reference_share(discovery, candidate, context);
    if (other != NULL)
        other->held -= reference_share(discovery, candidate, other);
    command_discard(discovery, candidate);
}

/* Doubt objects that overlap: at least one of the two is a stale copy. */
static void doubt_overlaps(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct candidate *before = NULL;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_chosen_candidate(candidate))
            continue;
        if (before != NULL && (int64_t)(candidate->handle - before->handle) <
                                  (int64_t)candidate_layout(discovery, before)->highest -
                                      candidate_layout(discovery, candidate)->lowest) {
            before->doubt = ompd_cl_doubt_twin;
            candidate->doubt = ompd_cl_doubt_twin;
        }
        before = candidate;
    }
}

/* Search for a freed chunk around at most this many candidates: law 6. */
#define ASK_LIMIT 256

/* Return whether CANDIDATE, outside malloc's chunks, is in memory that the allocator has reused
 * since the object was freed. */
static bool candidate_is_overwritten(struct discovery *discovery, const struct candidate *candidate)
{
    const struct layout_object *layout = candidate_layout(discovery, candidate);
    uint32_t typical = discovery->typical_chunks[candidate->runtime][candidate->kind];
    uint64_t start;

    return malloc_chunk_was_freed(discovery->target, candidate->handle, layout,
                                  typical * CANDIDATE_CHUNK_UNIT) ||
           malloc_chunk_is_crossed(discovery->target, candidate->handle, layout, &start);
}

/* Doubt candidates outside malloc's chunks where others of their kind are inside; drop those that
 * were freed. */
static void doubt_places(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    uint32_t asked = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        uint32_t typical = discovery->typical_chunks[candidate->runtime][candidate->kind];

        if (!is_chosen_candidate(candidate) || candidate->chunk != 0 || typical == 0 ||
            (candidate->flags & candidate_chunk_lost) != 0)
            continue;
        discard_copy(discovery, candidate);
        candidate->doubt = ompd_cl_doubt_place;
        if (asked++ < ASK_LIMIT && candidate_is_overwritten(discovery, candidate))
            candidate->flags &= (uint16_t)~candidate_is_chosen;
    }
}

/* Whether the OpenCL context of CANDIDATE would be in memory where no context can be allocated any
 * more. If no chunk was found around it, another allocator may be in use, and apparent chunks may
 * be accidental: then several are required. */
static bool context_is_misplaced(struct discovery *discovery, const struct candidate *candidate)
{
    const struct layout_object *layout = candidate_layout(discovery, candidate);
    struct target *target = discovery->target;
    uint64_t start;

    if (malloc_chunk_is_left(target, candidate->handle, layout) ||
        malloc_chunk_in_free(target, candidate->handle))
        return true;
    return candidate->chunk == 0 &&
           malloc_chunk_is_crossed(target, candidate->handle, layout, &start) &&
           malloc_chunk_is_there(target, start);
}

/* Doubt misplaced OpenCL contexts that nothing references. A context has few rules. Remains of one
 * may satisfy them by chance, and so may memory that spans two objects. */
static void doubt_misplaced_contexts(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    uint32_t asked = 0;

    for (uint32_t i = 0; i < all->count && asked < ASK_LIMIT; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_chosen_candidate(candidate) || candidate->kind != layout_context ||
            candidate->held != 0)
            continue;
        asked++;
        if (context_is_misplaced(discovery, candidate))
            candidate->doubt = ompd_cl_doubt_place;
    }
}

static uint64_t candidate_identity(const struct discovery *discovery,
                                   const struct candidate *candidate)
{
    (void)discovery;
    return candidate->identity;
}

static uint64_t candidate_fingerprint(const struct discovery *discovery,
                                      const struct candidate *candidate)
{
    (void)discovery;
    return (candidate->flags & candidate_is_compared) != 0 ? candidate->fingerprint : 0;
}

/* A runtime may have platforms and devices in its data. */
static uint64_t any_fingerprint_of(const struct discovery *discovery,
                                   const struct candidate *candidate)
{
    (void)discovery;
    return candidate->doubt == ompd_cl_doubt_none && candidate->kind != layout_platform &&
                   candidate->kind != layout_device
               ? candidate->fingerprint
               : 0;
}

/* Whether there are candidates outside chunks that may be copies by their bytes. */
static bool has_strays(const struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (candidate_is_live(candidate) && candidate->chunk == 0 &&
            (candidate->flags & (candidate_is_named | candidate_chunk_lost)) == 0 &&
            any_fingerprint_of(discovery, candidate) != 0)
            return true;
    }
    return false;
}

/* The worst state among the objects that CANDIDATE holds. refcount_surplus and refcount_unknown do
 * not count against it. */
static enum refcount_state refcount_state_about(const struct discovery *discovery,
                                                const struct candidate *candidate)
{
    const struct candidate *held[] = {named_by(discovery, candidate->context_index),
                                      named_by(discovery, candidate->other_index)};
    enum refcount_state worst = refcount_unknown;

    for (unsigned i = 0; i < 2; i++) {
        if (held[i] != NULL && reference_share(discovery, candidate, held[i]) != 0 &&
            refcount_state_of(discovery, held[i]) > worst)
            worst = refcount_state_of(discovery, held[i]);
    }
    return worst;
}

/* Mark candidates for comparison whose context has no reference left for the program: a copy may be
 * among them. Returns whether there are any. */
static bool compare_suspects(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    bool has_suspects = false;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!candidate_is_live(candidate) || candidate->doubt != ompd_cl_doubt_none ||
            candidate->fingerprint == 0 ||
            refcount_state_about(discovery, candidate) < refcount_spent)
            continue;
        candidate->flags |= candidate_is_compared;
        has_suspects = true;
    }
    return has_suspects;
}

/* Doubt all candidates that hold an object with fewer references than holders. */
static void doubt_over_counted(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        const struct candidate *context;

        if (!is_chosen_candidate(candidate) || candidate->doubt != ompd_cl_doubt_none)
            continue;
        context = named_by(discovery, candidate->context_index);
        if (refcount_state_about(discovery, candidate) == refcount_over)
            candidate->doubt = ompd_cl_doubt_over_counted;
        else if (context != NULL && context->doubt != ompd_cl_doubt_none)
            candidate->doubt = ompd_cl_doubt_context;
    }
}

static void doubt_counts(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (is_chosen_candidate(candidate) && candidate->doubt == ompd_cl_doubt_none &&
            candidate->held == 0 && candidate->references > MOST_OWN_REFERENCES)
            candidate->doubt = ompd_cl_doubt_references;
    }
}

ompd_rc_t confidence_check(struct discovery *discovery)
{
    bool has_large;
    ompd_rc_t rc = count_all_references(discovery, &has_large);

    if (rc != ompd_rc_ok)
        return rc;
    if (typical_chunks_find(discovery))
        doubt_places(discovery);
    doubt_misplaced_contexts(discovery);
    rc = stack_candidates_doubt(discovery, discard_copy);
    if (rc != ompd_rc_ok)
        return rc;
    doubt_overlaps(discovery);
    rc = duplicates_find(discovery, candidate_identity, discard_copy);
    if (rc == ompd_rc_ok && has_strays(discovery))
        rc = duplicates_find_strays(discovery, any_fingerprint_of, discard_copy);
    if (rc == ompd_rc_ok && compare_suspects(discovery))
        rc = duplicates_find(discovery, candidate_fingerprint, discard_copy);
    if (rc != ompd_rc_ok)
        return rc;
    doubt_over_counted(discovery);
    if (has_large)
        doubt_counts(discovery);
    return ompd_rc_ok;
}

ompd_cl_confidence_t confidence_of(const struct discovery *discovery,
                                   const struct candidate *candidate)
{
    const struct candidate *context = named_by(discovery, candidate->context_index);

    if (candidate->doubt != ompd_cl_doubt_none)
        return ompd_cl_confidence_doubtful;
    if (candidate->is_destroyed ||
        (candidate->flags & (candidate_dying | candidate_is_unproved)) != 0 ||
        discovery->unrecognised[candidate->runtime] != 0 ||
        discovery->runtimes->all[candidate->runtime].kin.of != NULL)
        return ompd_cl_confidence_presumed;
    /* A context is judged by its own count, once something holds it. */
    if (candidate->kind == layout_context)
        return candidate->held > 0 && refcount_state_of(discovery, candidate) == refcount_even
                   ? ompd_cl_confidence_certain
                   : ompd_cl_confidence_presumed;
    if (context != NULL && context->doubt != ompd_cl_doubt_none)
        return ompd_cl_confidence_presumed;
    return refcount_state_about(discovery, candidate) == refcount_even
               ? ompd_cl_confidence_certain
               : ompd_cl_confidence_presumed;
}
