/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How sure one can be of each object.  The runtime keeps books: an object counts those that hold
 * it.  If an OpenCL context has one reference more than the objects that were found hold, which is
 * its program's, nothing was missed and nothing is false: then they are certain.
 */
#include "discovery/confidence.h"

#include "discovery/command-references.h"
#include "discovery/duplicates.h"
#include "discovery/malloc-chunk.h"
#include "discovery/typical-chunk.h"
#include "layout/container.h"

/* What the references of an object say about the objects that were found to hold it. */
enum balance {
    balance_unknown,
    balance_even,    /* one is the program's */
    balance_surplus, /* the program, or something that is no object, holds more */
    balance_spent,   /* none is left for the program: it has released it, or one too many was found
                      */
    balance_over     /* more objects hold it than it has references */
};

static enum balance balance_of(const struct candidate *holder)
{
    if ((holder->flags & candidate_is_counted) == 0)
        return balance_unknown;
    if (holder->references < holder->held)
        return balance_over;
    if (holder->references == holder->held)
        return balance_spent;
    return holder->references - holder->held == 1 ? balance_even : balance_surplus;
}

static bool is_chosen(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0;
}

static bool is_live(const struct candidate *candidate)
{
    return is_chosen(candidate) && (candidate->flags & candidate_dying) == 0;
}

/* The object that CANDIDATE names by INDEX, which is the candidate's plus 1; NULL when it is 0. */
static struct candidate *named_by(const struct judgement *judgement, uint32_t index)
{
    return index != 0 ? candidate_at(&judgement->candidates, index - 1) : NULL;
}

/* How many references of HELD, which it names, CANDIDATE has.  One that the runtime made for itself
 * has none: what belongs to it would never end.  One whose destructor callbacks run has those that
 * the runtime gives back after them; and none is left of what is being destroyed, whose count is 0.
 */
static inline uint32_t share_of(const struct judgement *judgement,
                                const struct candidate *candidate, const struct candidate *held)
{
    const struct layout_object *object = candidate_layout(judgement, candidate);
    const struct layout_holdings *holdings =
        (candidate->flags & candidate_dying) != 0 ? &object->dying_holds : &object->holds;

    if (held == NULL || (held->flags & candidate_dying) != 0 ||
        (candidate->flags & candidate_internal) != 0 ||
        ((holdings->alone >> held->kind & 1) != 0 && candidate->other != 0))
        return 0;
    return holdings->counts[held->kind];
}

/* Let go of what the candidate at INDEX turned out not to be. */
static void check_name(const struct judgement *judgement, struct candidate *candidate,
                       uint32_t *index, ompd_cl_doubt_t doubt)
{
    struct candidate *named = named_by(judgement, *index);

    if (named == NULL)
        return;
    if (!is_chosen(named)) {
        *index = 0;
        if (doubt == ompd_cl_doubt_context || !candidate_may_outlive(candidate))
            candidate->doubt = doubt & 15;
        return;
    }
    named->flags |= candidate_is_named;
}

/* Tell what each object is named by, and by how many references it is held. */
static void open_books(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        struct candidate *context;
        struct candidate *other;

        if (!is_chosen(candidate))
            continue;
        check_name(judgement, candidate, &candidate->context_index, ompd_cl_doubt_context);
        check_name(judgement, candidate, &candidate->other_index, ompd_cl_doubt_kind);
        if ((candidate->flags & candidate_context_lost) != 0)
            candidate->doubt = ompd_cl_doubt_context;
        context = named_by(judgement, candidate->context_index);
        other = named_by(judgement, candidate->other_index);
        if (context != NULL)
            context->held += share_of(judgement, candidate, context);
        if (other != NULL)
            other->held += share_of(judgement, candidate, other);
    }
}

/* When so many elements were counted, of all objects together, no more are: law 6. */
#define ELEMENT_LIMIT (1u << 20)

/* Add what the elements of its lists hold of CANDIDATE.  When that cannot be told, neither can what
 * its references say. */
static void add_lists(struct judgement *judgement, struct candidate *candidate, uint64_t *counted)
{
    const struct layout_object *object = candidate_layout(judgement, candidate);

    for (unsigned i = 0; i < LAYOUT_LIST_COUNT; i++) {
        const struct layout_list_place *list = &object->lists[i];
        struct container container;
        uint64_t count;

        if (list->shape == layout_no_list || list->holds == 0 || list->holds_named)
            continue;
        if (*counted > ELEMENT_LIMIT ||
            container_begin(&container, judgement->target, list, candidate->handle) != ompd_rc_ok ||
            container_count(&container, judgement->target, &count) != ompd_rc_ok) {
            candidate->flags &= (uint16_t)~candidate_is_counted;
            return;
        }
        *counted += container.count;
        candidate->held += (uint32_t)count * list->holds;
    }
}

static void count_lists(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;
    uint64_t counted = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        if (is_live(candidate_at(all, i)))
            add_lists(judgement, candidate_at(all, i), &counted);
    }
}

/* A copy holds nothing. */
static void strike(struct judgement *judgement, struct candidate *candidate)
{
    struct candidate *context = named_by(judgement, candidate->context_index);
    struct candidate *other = named_by(judgement, candidate->other_index);

    if (!is_chosen(candidate) || (candidate->flags & candidate_is_struck) != 0)
        return;
    candidate->flags |= candidate_is_struck;
    if (context != NULL)
        context->held -= share_of(judgement, candidate, context);
    if (other != NULL)
        other->held -= share_of(judgement, candidate, other);
    command_strike(judgement, candidate);
}

/* Doubt objects that lie one upon the other: one of the two at least is what is left of a copy. */
static void doubt_overlaps(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;
    struct candidate *before = NULL;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_chosen(candidate))
            continue;
        if (before != NULL && (int64_t)(candidate->handle - before->handle) <
                                  (int64_t)candidate_layout(judgement, before)->highest -
                                      candidate_layout(judgement, candidate)->lowest) {
            before->doubt = ompd_cl_doubt_twin;
            candidate->doubt = ompd_cl_doubt_twin;
        }
        before = candidate;
    }
}

/* So many candidates that lie in no chunk are asked whether they once did: law 6. */
#define ASK_LIMIT 256

/* Doubt what does not lie where others of its kind do, or drop it when it was freed. */
static void doubt_places(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;
    uint32_t asked = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        uint32_t usual = judgement->usual_chunks[candidate->runtime][candidate->kind];

        if (!is_chosen(candidate) || candidate->chunk != 0 || usual == 0 ||
            (candidate->flags & candidate_chunk_lost) != 0)
            continue;
        strike(judgement, candidate);
        candidate->doubt = ompd_cl_doubt_place;
        if (asked++ < ASK_LIMIT &&
            chunk_was_freed(judgement->target, candidate->handle,
                            candidate_layout(judgement, candidate), usual * CANDIDATE_CHUNK_UNIT))
            candidate->flags &= (uint16_t)~candidate_is_chosen;
    }
}

static uint64_t identity_of(const struct judgement *judgement, const struct candidate *candidate)
{
    (void)judgement;
    return candidate->identity;
}

static uint64_t print_of(const struct judgement *judgement, const struct candidate *candidate)
{
    (void)judgement;
    return (candidate->flags & candidate_is_compared) != 0 ? candidate->print : 0;
}

static uint64_t any_print_of(const struct judgement *judgement, const struct candidate *candidate)
{
    (void)judgement;
    return candidate->doubt == ompd_cl_doubt_none ? candidate->print : 0;
}

/* Tell whether there are candidates in no chunk that their bytes may show to be copies. */
static bool has_strays(const struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (is_live(candidate) && candidate->chunk == 0 &&
            (candidate->flags & (candidate_is_named | candidate_chunk_lost)) == 0 &&
            any_print_of(judgement, candidate) != 0)
            return true;
    }
    return false;
}

/* The worst that the books of those that CANDIDATE holds say.  Surplus and balance_unknown do not
 * speak against it. */
static enum balance balance_about(const struct judgement *judgement,
                                  const struct candidate *candidate)
{
    const struct candidate *held[] = {named_by(judgement, candidate->context_index),
                                      named_by(judgement, candidate->other_index)};
    enum balance worst = balance_unknown;

    for (unsigned i = 0; i < 2; i++) {
        if (held[i] != NULL && share_of(judgement, candidate, held[i]) != 0 &&
            balance_of(held[i]) > worst)
            worst = balance_of(held[i]);
    }
    return worst;
}

/* Have those compared whose context has no reference that nothing accounts for: a copy may be among
 * them.  True when there are any. */
static bool compare_suspects(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;
    bool has_suspects = false;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (!is_live(candidate) || candidate->doubt != ompd_cl_doubt_none ||
            candidate->print == 0 || balance_about(judgement, candidate) < balance_spent)
            continue;
        candidate->flags |= candidate_is_compared;
        has_suspects = true;
    }
    return has_suspects;
}

/* Doubt all that hold an object of which too many are found to hold it. */
static void doubt_over_counted(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        const struct candidate *context;

        if (!is_chosen(candidate) || candidate->doubt != ompd_cl_doubt_none)
            continue;
        context = named_by(judgement, candidate->context_index);
        if (balance_about(judgement, candidate) == balance_over)
            candidate->doubt = ompd_cl_doubt_over_counted;
        else if (context != NULL && context->doubt != ompd_cl_doubt_none)
            candidate->doubt = ompd_cl_doubt_context;
    }
}

/* More references of an object that nothing holds are rather half of a pointer: what is in memory
 * that was freed. */
#define MOST_OWN_REFERENCES 0xffff

static void doubt_counts(struct judgement *judgement)
{
    const struct candidates *all = &judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (is_chosen(candidate) && candidate->doubt == ompd_cl_doubt_none &&
            (candidate->flags & candidate_is_counted) != 0 && candidate->held == 0 &&
            candidate->references > MOST_OWN_REFERENCES)
            candidate->doubt = ompd_cl_doubt_references;
    }
}

ompd_rc_t audit_candidates(struct judgement *judgement)
{
    ompd_rc_t rc;

    open_books(judgement);
    count_lists(judgement);
    rc = commands_count(judgement);
    if (rc != ompd_rc_ok)
        return rc;
    find_usual_chunks(judgement);
    doubt_places(judgement);
    doubt_overlaps(judgement);
    rc = twins_find(judgement, identity_of, strike);
    if (rc == ompd_rc_ok && has_strays(judgement))
        rc = twins_find_strays(judgement, any_print_of, strike);
    if (rc == ompd_rc_ok && compare_suspects(judgement))
        rc = twins_find(judgement, print_of, strike);
    if (rc != ompd_rc_ok)
        return rc;
    doubt_over_counted(judgement);
    doubt_counts(judgement);
    return ompd_rc_ok;
}

ompd_cl_confidence_t audit_confidence(const struct judgement *judgement,
                                      const struct candidate *candidate)
{
    const struct candidate *context = named_by(judgement, candidate->context_index);

    if (candidate->doubt != ompd_cl_doubt_none)
        return ompd_cl_confidence_doubtful;
    if ((candidate->flags & (candidate_dying | candidate_is_unproved)) != 0 ||
        judgement->unrecognised[candidate->runtime] != 0)
        return ompd_cl_confidence_presumed;
    /* An OpenCL context speaks for itself once something holds it. */
    if (candidate->kind == layout_context)
        return candidate->held > 0 && balance_of(candidate) == balance_even
                   ? ompd_cl_confidence_certain
                   : ompd_cl_confidence_presumed;
    if (context != NULL && context->doubt != ompd_cl_doubt_none)
        return ompd_cl_confidence_presumed;
    return balance_about(judgement, candidate) == balance_even ? ompd_cl_confidence_certain
                                                               : ompd_cl_confidence_presumed;
}
