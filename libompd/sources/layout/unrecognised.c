/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects that the layout of their runtime does not recognise, for example because it belongs to
 * another build. They cannot be identified with certainty: platforms, devices and remains of freed
 * objects lead to the runtime's dispatch table as well. But few of these are in memory in use and
 * name another object, as all objects of a program except OpenCL contexts do. No object lacks them
 * among its holders. And where many remain, the layout recognises most of them as freed.
 */
#include "sources/layout/discovery.h"

/* If the allocator does not show what is in use, one word may be left over from an object. */
#define LEAST_WORDS 2

/* With fewer than one word for this many objects, the layout is considered to match. */
#define OBJECTS_PER_WORD 16

/* At most one of this many freed objects still satisfies the rules of a kind after its memory was
 * reallocated. */
#define FREED_PER_WHOLE 8

/* The number of bytes examined of the memory with a word; the second if the allocator does not show
 * its bounds. */
#define NAME_REACH 1024
#define LOOSE_REACH 256

/* Memory with more words is a heap, not a stack, on which copies of objects may be left. */
#define MOST_ON_STACK 4

/* An object is named by its handle, or by an address that is so far before it. */
#define DISTANCE_LIMIT 32

/* The number of objects lacking others for which the words that name them are counted. */
#define SHORT_LIMIT 8

/* At most this many objects are being destroyed at one time. Each has the last reference on the
 * next, as an event, its queue and their OpenCL context do. If more seem to be, they are not
 * recognised. */
#define MOST_DESTROYED 8

#define KIND(name) (1u << layout_##name)

/* The kinds of objects that programs usually make, each of which names another object. */
#define USUAL_KINDS                                                                                \
    (KIND(context) | KIND(queue) | KIND(buffer) | KIND(image) | KIND(event) | KIND(program) |      \
     KIND(kernel) | KIND(sampler))

/* Words that name an object. */
struct tally {
    uint32_t words;
    uint32_t freed;       /* words that look like a known kind without references */
    uint32_t destroyed;   /* words that are being destroyed */
    uint32_t whole;       /* those that all rules of a kind hold for */
    uint32_t missed;      /* those that name an object which more hold than were found, */
    uint32_t near_missed; /* of these, words that satisfy all rules of a kind, or all but one */
};

/* An object that more hold than were found. */
struct short_object {
    const struct candidate *candidate;
    uint32_t names; /* words that name it in memory without allocator information, and satisfy all
                       rules of a kind, or all but one */
};

/* The findings about a runtime's objects. */
struct review {
    uint32_t objects;  /* that are not in doubt, */
    uint32_t kinds;    /* theirs: bits 1 << enum layout_kind, */
    uint32_t contexts; /* and the OpenCL contexts among them that others name */
    uint32_t distance_count;
    uint64_t distances[DISTANCE_LIMIT];
    struct tally used;  /* unrecognised words in memory that the allocator says is in use, */
    struct tally loose; /* and in memory without allocator information */
    uint32_t short_count;
    struct short_object short_objects[SHORT_LIMIT];
};

struct reviews {
    struct discovery *discovery;
    struct review of[RUNTIME_LIMIT];
};

/* ---- Recognised objects ---------------------------------------------------------------------- */

static bool object_is_sound(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 && candidate->doubt == ompd_cl_doubt_none;
}

/* Return whether CANDIDATE, one of ALL, is an OpenCL context or belongs to one. */
static bool is_in_context(const struct candidates *all, const struct candidate *candidate)
{
    return object_is_sound(candidate) &&
           (candidate->kind == layout_context ||
            (candidate->context_index != 0 &&
             object_is_sound(candidate_at(all, candidate->context_index - 1))));
}

/* The number of holders of CANDIDATE, by its own count, besides those found and its program. */
static uint32_t missing_count(const struct candidate *candidate)
{
    bool is_short =
        (candidate->flags & candidate_is_counted) != 0 && candidate->references > candidate->held;

    return is_short ? candidate->references - candidate->held - 1 : 0;
}

static void count_recognised(struct reviews *reviews)
{
    const struct candidates *all = &reviews->discovery->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        struct review *review = &reviews->of[candidate->runtime];

        if (!object_is_sound(candidate))
            continue;
        review->objects++;
        review->kinds |= UINT32_C(1) << candidate->kind;
        review->contexts +=
            candidate->kind == layout_context && (candidate->flags & candidate_is_named) != 0;
    }
}

/* ---- How objects are named ------------------------------------------------------------------- */

static void add_distance(struct review *review, uint64_t distance)
{
    for (uint32_t i = 0; i < review->distance_count; i++) {
        if (review->distances[i] == distance)
            return;
    }
    if (review->distance_count < DISTANCE_LIMIT)
        review->distances[review->distance_count++] = distance;
}

/* By the adjustments of pointers in LAYOUT. */
static void add_adjustments(struct review *review, const struct layout *layout)
{
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        for (unsigned field = 0; field < LAYOUT_FIELD_COUNT; field++) {
            const struct layout_location *location = &layout->objects[kind].fields[field];

            if (location->is_there && location->adjust > 0)
                add_distance(review, (uint64_t)location->adjust);
        }
    }
}

/* By the distance of the words from the start of their memory, whatever the layouts say. */
static void add_starts(struct reviews *reviews)
{
    const struct candidates *rejected = &reviews->discovery->rejected;

    for (uint32_t i = 0; i < rejected->count; i++) {
        const struct candidate *word = candidate_at(rejected, i);

        if (word->identity != 0)
            add_distance(&reviews->of[word->runtime], word->handle - word->identity);
    }
}

static void add_distances(struct reviews *reviews)
{
    const struct runtimes *runtimes = reviews->discovery->runtimes;

    for (uint32_t i = 0; i < runtimes->count; i++) {
        add_distance(&reviews->of[i], 0);
        if (runtimes->all[i].layout != NULL)
            add_adjustments(&reviews->of[i], runtimes->all[i].layout);
    }
    add_starts(reviews);
}

/* ---- What words name ------------------------------------------------------------------------- */

/* A word, and the object that seems to be there. */
struct possible_object {
    uint64_t handle;
    uint64_t start;        /* of the allocation, as far as it is known */
    uint64_t end;          /* examined up to here */
    uint64_t last_context; /* OpenCL context of the object that seems to be being destroyed; else 0
                            * */
    uint8_t runtime;
    bool is_loose;     /* there is no allocator information */
    bool is_freed;     /* it has no reference left, being destroyed or freed */
    bool is_destroyed; /* it is being destroyed, or an OpenCL context that such an object names */
    bool is_near;      /* it breaks at most one rule of a kind, */
    bool is_whole;     /* or none */
};

/* Whether ALL has a word of POSSIBLE's runtime at HANDLE or up to REACH bytes behind it, other than
 * POSSIBLE's. */
static bool has_word(const struct candidates *all, uint64_t handle, uint64_t reach,
                     const struct possible_object *possible)
{
    uint32_t i = candidates_find(all, handle);

    return i < all->count && candidate_at(all, i)->handle - handle <= reach &&
           candidate_at(all, i)->handle != possible->handle &&
           candidate_at(all, i)->runtime == possible->runtime;
}

/* The object at HANDLE, of the runtime at INDEX, that is or belongs to a recognised OpenCL context;
 * NULL if there is none. */
static const struct candidate *find_sound_object(const struct candidates *all, uint64_t handle,
                                                 uint8_t index)
{
    for (uint32_t i = candidates_find(all, handle);
         i < all->count && candidate_at(all, i)->handle == handle; i++) {
        if (candidate_at(all, i)->runtime == index && is_in_context(all, candidate_at(all, i)))
            return candidate_at(all, i);
    }
    return NULL;
}

/* Whether NAME, within POSSIBLE, names another object: a recognised one, or any if no OpenCL
 * context is recognised. *MISSED_BY is set to it if it lacks some holders. */
static bool is_missed_name(const struct reviews *reviews, const struct possible_object *possible,
                           uint64_t name, const struct candidate **missed_by)
{
    const struct review *review = &reviews->of[possible->runtime];
    const struct candidates *all = &reviews->discovery->candidates;
    const struct candidates *rejected = &reviews->discovery->rejected;
    /* Without a known start, a name may be this far in front of an object. */
    uint64_t reach = possible->is_loose ? LOOSE_REACH : 0;
    bool is_any = review->contexts == 0;

    for (uint32_t i = 0; i < review->distance_count; i++) {
        uint64_t handle = name + review->distances[i];
        const struct candidate *named = find_sound_object(all, handle, possible->runtime);

        if (named != NULL && handle != possible->handle) {
            if (missing_count(named) != 0)
                *missed_by = named;
            return true;
        }
        if (is_any &&
            (has_word(all, handle, 0, possible) || has_word(rejected, handle, 0, possible)))
            return true;
    }
    return is_any && reach != 0 &&
           (has_word(all, name, reach, possible) || has_word(rejected, name, reach, possible));
}

/* Count a word that names CANDIDATE, which misses some. */
static void count_short(struct review *review, const struct candidate *candidate)
{
    uint32_t i = 0;

    while (i < review->short_count && review->short_objects[i].candidate != candidate)
        i++;
    if (i == SHORT_LIMIT)
        return;
    if (i == review->short_count)
        review->short_objects[review->short_count++].candidate = candidate;
    review->short_objects[i].names++;
}

/* Count POSSIBLE if it names another object. */
static void count_names(struct reviews *reviews, const struct possible_object *possible)
{
    struct target *target = reviews->discovery->target;
    struct review *review = &reviews->of[possible->runtime];
    struct tally *tally = possible->is_loose ? &review->loose : &review->used;
    uint64_t table = reviews->discovery->runtimes->all[possible->runtime].table;
    const struct candidate *missed_by = NULL;
    bool has_name = false;
    bool is_missed;
    uint64_t name;

    for (uint64_t at = possible->start; at < possible->end && missed_by == NULL;
         at += target->pointer_size) {
        if (!target_word(target, at, &name))
            break;
        if (at == possible->handle)
            continue;
        if (possible->is_loose && name == table) /* the next object */
            break;
        if (name >= LEAST_POINTER && name % target->pointer_size == 0 &&
            (name < possible->start || name >= possible->end))
            has_name = is_missed_name(reviews, possible, name, &missed_by) || has_name;
    }
    is_missed = missed_by != NULL && !possible->is_freed;
    tally->words += has_name;
    tally->freed += has_name && possible->is_freed;
    tally->destroyed += has_name && possible->is_destroyed;
    tally->whole += has_name && possible->is_whole;
    tally->missed += is_missed;
    tally->near_missed += is_missed && possible->is_near;
    if (is_missed && possible->is_near && possible->is_loose)
        count_short(review, missed_by);
}

/* ---- The words ------------------------------------------------------------------------------- */

/* The number of ALL in [START, END). */
static uint32_t count_within(const struct candidates *all, uint64_t start, uint64_t end)
{
    return candidates_find(all, end) - candidates_find(all, start);
}

static bool is_on_heap(const struct discovery *discovery, uint64_t address)
{
    struct region_run run;

    return region_find(discovery->target, address, &run) &&
           count_within(&discovery->candidates, run.start, run.end) +
                   count_within(&discovery->rejected, run.start, run.end) >
               MOST_ON_STACK;
}

/* Whether POSSIBLE is left over from an object in memory that was allocated again, for example as a
 * buffer's storage, and not overwritten there. If the layout recognises nothing, a number in front
 * of it counts for less. */
static bool is_left_over(const struct reviews *reviews, const struct possible_object *possible)
{
    const struct review *review = &reviews->of[possible->runtime];

    for (uint32_t i = 0; i < review->distance_count && review->contexts != 0; i++) {
        uint64_t distance = review->distances[i];

        if (possible->handle - possible->start > distance &&
            malloc_chunk_was_start(reviews->discovery->target, possible->handle - distance))
            return true;
    }
    return false;
}

static bool is_object_or_copy(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
           (candidate->doubt == ompd_cl_doubt_none ||
            candidate->doubt == ompd_cl_doubt_same_number ||
            candidate->doubt == ompd_cl_doubt_twin);
}

/* Return whether POSSIBLE is within the memory of a recognised object, or of a copy of one. It is
 * then left from an earlier object, because a runtime does not write all bytes of a new one. */
static bool is_within_object(const struct reviews *reviews, const struct possible_object *possible)
{
    const struct candidates *all = &reviews->discovery->candidates;

    for (uint32_t i = candidates_find(all, possible->start);
         i < all->count && candidate_at(all, i)->handle < possible->end; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        const struct layout *layout = reviews->discovery->runtimes->all[candidate->runtime].layout;
        const struct layout_object *object = &layout->objects[candidate->kind];
        int64_t offset = (int64_t)(possible->handle - candidate->handle);

        if (is_object_or_copy(candidate) && offset != 0 && offset >= object->lowest &&
            offset < object->highest)
            return true;
    }
    return false;
}

/* Record that the OpenCL context of POSSIBLE, which is being destroyed, may have one more reference
 * than is known: most runtimes release it last. */
static void note_held_on(const struct discovery *discovery, const struct possible_object *possible)
{
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = candidates_find(all, possible->last_context);
         i < all->count && candidate_at(all, i)->handle == possible->last_context; i++)
        candidate_at(all, i)->is_held_on = true;
}

/* Count POSSIBLE, whose end is not known yet and whose start may be 0, if it seems to be an
 * object. */
static void count_word(struct reviews *reviews, struct possible_object *possible)
{
    const struct discovery *discovery = reviews->discovery;

    if (possible->start != 0) {
        uint64_t room = malloc_chunk_room(discovery->target, possible->start);

        possible->end = possible->start + (room < NAME_REACH ? room : NAME_REACH);
        if (!malloc_chunk_is_used(discovery->target, possible->start) ||
            is_left_over(reviews, possible) || is_within_object(reviews, possible))
            return;
        if (possible->last_context != 0)
            note_held_on(discovery, possible);
    } else {
        if (!is_on_heap(discovery, possible->handle))
            return;
        possible->is_loose = true;
        possible->start = possible->handle;
        possible->end = possible->start + LOOSE_REACH;
    }
    count_names(reviews, possible);
}

static void count_rejected(struct reviews *reviews)
{
    const struct candidates *rejected = &reviews->discovery->rejected;

    for (uint32_t i = 0; i < rejected->count; i++) {
        const struct candidate *word = candidate_at(rejected, i);
        struct possible_object possible = {
            .handle = word->handle,
            .start = word->identity,
            .last_context = word->context,
            .runtime = word->runtime,
            .is_freed = (word->flags & candidate_dying) != 0,
            .is_destroyed = word->context != 0 || (word->flags & candidate_is_named) != 0,
            .is_near = (word->flags & candidate_is_near) != 0,
        };

        count_word(reviews, &possible);
    }
}

/* The OpenCL context of the object that CANDIDATE names besides it, such as a sub-buffer's buffer,
 * if that is being destroyed, and CANDIDATE with it; else 0. */
static uint64_t named_last_context(const struct runtime *runtime, struct target *target,
                                   const struct candidate *candidate)
{
    struct scan_hit hit = {.address = candidate->other, .end = UINT64_MAX};
    uint64_t start = 0;
    uint64_t word;

    if (candidate->other == 0 || !target_word(target, candidate->other, &word) ||
        word != runtime->table || malloc_chunk_find(target, &hit, &start) == malloc_chunk_is_free ||
        start == 0)
        return 0;
    return last_reference_context(target, runtime, candidate->other, start);
}

/* Count CANDIDATE, which satisfies all rules of a kind, but for which no kind was chosen. If it has
 * no reference left, only the allocator can show that it was not freed. */
static void count_unchosen_one(struct reviews *reviews, const struct candidate *candidate)
{
    const struct runtime *runtime = &reviews->discovery->runtimes->all[candidate->runtime];
    struct target *target = reviews->discovery->target;
    struct scan_hit hit = {.address = candidate->handle, .end = UINT64_MAX};
    struct possible_object possible = {.handle = candidate->handle, .runtime = candidate->runtime};

    if (malloc_chunk_find(target, &hit, &possible.start) == malloc_chunk_is_free)
        return;
    if (possible.start != 0)
        possible.last_context =
            last_reference_context(target, runtime, possible.handle, possible.start);
    if (possible.last_context == 0)
        possible.last_context = named_last_context(runtime, target, candidate);
    possible.is_destroyed = possible.last_context != 0;
    possible.is_freed = possible.is_destroyed || (candidate->flags & candidate_dying) != 0;
    possible.is_near = !possible.is_freed;
    possible.is_whole = !possible.is_freed;
    if (possible.start != 0 || !possible.is_freed)
        count_word(reviews, &possible);
}

static void count_unchosen(struct reviews *reviews)
{
    const struct candidates *all = &reviews->discovery->candidates;
    uint32_t looked_at = 0;
    uint32_t end;

    for (uint32_t first = 0; first < all->count && looked_at < REJECTED_LIMIT; first = end) {
        uint64_t handle = candidate_at(all, first)->handle;
        bool is_chosen = false;

        for (end = first; end < all->count && candidate_at(all, end)->handle == handle; end++)
            is_chosen = is_chosen || (candidate_at(all, end)->flags & candidate_is_chosen) != 0;
        if (is_chosen)
            continue;
        looked_at++;
        count_unchosen_one(reviews, candidate_at(all, first));
    }
}

/* ---- The verdict ----------------------------------------------------------------------------- */

static bool has_usual_kinds(const struct layout *layout)
{
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if ((USUAL_KINDS >> kind & 1) != 0 && !layout->objects[kind].is_there)
            return false;
    }
    return true;
}

/* Whether the words of REVIEW show that the layout, which recognises no OpenCL context that another
 * object names, does not match; FREED words look like freed objects. */
static bool layout_is_of_other(const struct review *review, uint32_t freed)
{
    uint32_t used = review->used.words;
    uint32_t words;

    if (review->used.destroyed <= MOST_DESTROYED)
        used -= review->used.destroyed;
    words = used + review->loose.words;
    return review->used.whole > review->objects + freed / FREED_PER_WHOLE ||
           used > review->objects + freed ||
           (words >= LEAST_WORDS && words > review->objects + freed);
}

/* Whether words without allocator information are missed: there are more of them than freed ones,
 * or as many of them name an object as it has holders. */
static bool is_missed_loosely(const struct review *review, uint32_t freed)
{
    for (uint32_t i = 0; i < review->short_count; i++) {
        uint32_t names = review->short_objects[i].names;

        if (names >= LEAST_WORDS && names >= missing_count(review->short_objects[i].candidate))
            return true;
    }
    return review->loose.missed >= LEAST_WORDS && review->loose.missed > freed;
}

/* The same for a layout that recognises some objects, so that those it takes for freed are:
 * runtimes retain such objects for reuse, and one may be being destroyed now. Others may be of
 * kinds that it does not cover, so one of the kinds that it does cover must have none. */
static bool layout_is_amiss(const struct review *review, uint32_t freed)
{
    bool lacks_kind = (USUAL_KINDS & ~review->kinds) != 0;
    uint32_t words = review->used.words - review->used.freed;

    if (words >= LEAST_WORDS && words > freed && words >= review->objects / OBJECTS_PER_WORD)
        return true;
    return lacks_kind && (review->used.near_missed != 0 || review->used.missed > freed ||
                          is_missed_loosely(review, freed));
}

void unrecognised_count(struct discovery *discovery)
{
    struct reviews reviews = {.discovery = discovery};

    count_recognised(&reviews);
    add_distances(&reviews);
    last_references_find(discovery);
    count_rejected(&reviews);
    count_unchosen(&reviews);
    for (uint32_t i = 0; i < discovery->runtimes->count; i++) {
        const struct layout *layout = discovery->runtimes->all[i].layout;
        const struct review *review = &reviews.of[i];
        uint32_t freed = discovery->freed[i];

        if (layout != NULL && ((review->contexts == 0 && layout_is_of_other(review, freed)) ||
                               (has_usual_kinds(layout) && layout_is_amiss(review, freed))))
            discovery->unrecognised[i] = review->used.words + review->loose.words;
    }
}
