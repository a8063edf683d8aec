/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects that the layout of their runtime does not recognise, as when it is of another build. They
 * cannot be told for sure: platforms, devices and what is left of freed objects lead to the
 * runtime's dispatch table as well.  But these are few in memory that is in use and name another
 * object, as all but OpenCL contexts do that a program makes.
 */
#include "candidate.h"
#include "chunk.h"

/* One word may be what is left of an object. */
#define LEAST_WORDS 2

/* With less than one such word for so many objects, the layout is taken to fit. */
#define OBJECTS_PER_WORD 16

/* So many words are looked at, and so many bytes of the memory that each is in: law 6. */
#define WORD_LIMIT 1024
#define NAME_REACH 1024

#define KIND(name) (1u << layout_##name)

/* What programs make of a runtime as a rule, each of which names another object. */
#define USUAL_KINDS                                                                                \
    (KIND(context) | KIND(queue) | KIND(buffer) | KIND(image) | KIND(event) | KIND(program) |      \
     KIND(kernel) | KIND(sampler))

/* What is known of a runtime's objects. */
struct review {
    uint32_t objects;  /* that are not in doubt, */
    uint32_t contexts; /* and the OpenCL contexts among them that others name */
    uint32_t words;    /* unrecognised */
};

struct reviews {
    struct judgement *judgement;
    uint32_t looked_at; /* words */
    struct review of[RUNTIME_LIMIT];
};

static bool is_sound(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 && candidate->doubt == ompd_cl_doubt_none;
}

static bool is_named_context(const struct candidate *candidate)
{
    return candidate->kind == layout_context && is_sound(candidate) &&
           (candidate->flags & candidate_is_named) != 0;
}

/* Count what was recognised. */
static void count_recognised(struct reviews *reviews)
{
    const struct candidates *all = &reviews->judgement->candidates;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);
        struct review *review = &reviews->of[candidate->runtime];

        review->objects += is_sound(candidate);
        review->contexts += is_named_context(candidate);
    }
}

/* Tell whether an object can be at ADDRESS that one of the runtime at INDEX names: an OpenCL
 * context where some are recognised, else any. */
static bool is_object(const struct reviews *reviews, uint64_t address, uint32_t index)
{
    struct judgement *judgement = reviews->judgement;
    const struct runtime *runtime = &judgement->runtimes->all[index];
    const struct candidates *all = &judgement->candidates;
    uint64_t word;

    if (reviews->of[index].contexts == 0)
        return (address < runtime->start || address >= runtime->end) &&
               target_word(judgement->target, address, &word) && word == runtime->table;
    for (uint32_t i = candidates_find(all, address);
         i < all->count && candidate_at(all, i)->handle == address; i++) {
        if (candidate_at(all, i)->runtime == index && is_named_context(candidate_at(all, i)))
            return true;
    }
    return false;
}

/* Tell whether what is allocated at START, in which the word at ADDRESS is, names another object:
 * by its handle, or by the start of what that is in. */
static bool names_object(const struct reviews *reviews, uint64_t start, uint64_t address,
                         uint32_t index)
{
    struct target *target = reviews->judgement->target;
    uint64_t room = chunk_room(target, start);
    uint64_t end = start + (room < NAME_REACH ? room : NAME_REACH);
    uint64_t name;

    for (uint64_t at = start; at < end; at += target->pointer_size) {
        if (!target_word(target, at, &name))
            return false;
        if (name < LEAST_POINTER || name % target->pointer_size != 0 ||
            (name >= start && name <= address))
            continue;
        if (is_object(reviews, name, index) ||
            (address != start && is_object(reviews, name + (address - start), index)))
            return true;
    }
    return false;
}

/* Count the word at ADDRESS, in what is allocated at START, if it seems to be an object. */
static void count_word(struct reviews *reviews, uint64_t start, uint64_t address, uint32_t index)
{
    if (reviews->looked_at++ < WORD_LIMIT && chunk_is_used(reviews->judgement->target, start) &&
        names_object(reviews, start, address, index))
        reviews->of[index].words++;
}

static void count_rejected(struct reviews *reviews)
{
    const struct candidates *rejected = &reviews->judgement->rejected;

    for (uint32_t i = 0; i < rejected->count; i++) {
        const struct candidate *word = candidate_at(rejected, i);

        count_word(reviews, word->identity, word->handle, word->runtime);
    }
}

/* Count those for which some rules hold, but which no kind of object was chosen for. */
static void count_unchosen(struct reviews *reviews)
{
    const struct candidates *all = &reviews->judgement->candidates;
    uint32_t end;

    for (uint32_t first = 0; first < all->count; first = end) {
        const struct candidate *candidate = candidate_at(all, first);
        struct scan_hit hit = {.address = candidate->handle, .end = UINT64_MAX};
        uint64_t start;
        bool is_chosen = false;

        for (end = first; end < all->count && candidate_at(all, end)->handle == hit.address; end++)
            is_chosen = is_chosen || (candidate_at(all, end)->flags & candidate_is_chosen) != 0;
        if (!is_chosen && reviews->looked_at < WORD_LIMIT &&
            chunk_find(reviews->judgement->target, &hit, &start))
            count_word(reviews, start, hit.address, candidate->runtime);
    }
}

static bool has_usual_kinds(const struct layout *layout)
{
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if ((USUAL_KINDS >> kind & 1) != 0 && !layout->objects[kind].is_there)
            return false;
    }
    return true;
}

/* Tell whether the words of REVIEW say that LAYOUT does not fit.  Where it recognises OpenCL
 * contexts, further objects may be of kinds that it does not know. */
static bool is_misfit(const struct review *review, const struct layout *layout)
{
    if (review->words < LEAST_WORDS || layout == NULL)
        return false;
    if (review->contexts == 0)
        return review->words > review->objects;
    return has_usual_kinds(layout) && review->words >= review->objects / OBJECTS_PER_WORD;
}

void count_unrecognised(struct judgement *judgement)
{
    struct reviews reviews = {.judgement = judgement};

    count_recognised(&reviews);
    count_rejected(&reviews);
    count_unchosen(&reviews);
    for (uint32_t i = 0; i < judgement->runtimes->count; i++) {
        if (is_misfit(&reviews.of[i], judgement->runtimes->all[i].layout))
            judgement->unrecognised[i] = reviews.of[i].words;
    }
}
