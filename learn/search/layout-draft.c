/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See search.h: fields and lists. */
#include <learn/search/search.h>

#include <string.h>

#define UNIQUE_MOST UINT32_MAX /* objects are numbered from a small number on */

static unsigned count_kind(const struct population *population, enum specimen_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < population->count; i++)
        count += population->specimens[i].kind == kind;
    return count;
}

/* Whether the numbers at LOCATION differ in all specimens of KIND and, if IS_FIRST, ascend. */
static bool is_numbering(const struct location *location, const struct population *population,
                         enum specimen_kind kind, bool is_first)
{
    uint64_t numbers[POPULATION_SPECIMENS];
    unsigned count = 0;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (specimen->kind != kind)
            continue;
        if (!path_is_within(&location->path, location->width, &specimen->extent) ||
            !location_value(location, specimen->handle, &numbers[count]) ||
            numbers[count] > UNIQUE_MOST ||
            (is_first && count > 0 && numbers[count] <= numbers[count - 1]))
            return false;
        for (unsigned j = 0; j < count; j++)
            if (numbers[j] == numbers[count])
                return false;
        count++;
    }
    return true;
}

/* Runtimes that number their objects do so in creation order. */
static void search_unique(struct layout_draft_kind *draft, const struct population *population,
                          enum specimen_kind kind)
{
    struct field_candidates *found = &draft->fields[fact_unique];
    const struct specimen *specimen = population->specimens;

    memset(found, 0, sizeof(*found));
    while (specimen->kind != kind)
        specimen++;
    for (int32_t at = specimen->extent.lowest; at + 8 <= specimen->extent.highest; at += 8) {
        struct location location = {.path = {{at}, 1}, .width = 8};

        if (found->count < SEARCH_LIMIT && is_numbering(&location, population, kind, true))
            found->locations[found->count++] = location;
    }
}

static void filter_unique(struct layout_draft_kind *draft, const struct population *population,
                          enum specimen_kind kind)
{
    struct field_candidates *found = &draft->fields[fact_unique];
    unsigned kept = 0;

    for (unsigned i = 0; i < found->count; i++)
        if (is_numbering(&found->locations[i], population, kind, false))
            found->locations[kept++] = found->locations[i];
    found->count = kept;
}

static bool fits_all(const struct location *location, const struct population *population,
                     enum specimen_kind kind, enum fact fact)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (specimen->kind == kind && specimen_knows(specimen, fact) &&
            !location_fits(location, specimen, fact))
            return false;
    }
    return true;
}

/* A counter before the object, as in Rust's Arc, is a whole word.  AMD's is half a word, beside
 * meaningless bytes. */
static void widen_references(struct field_candidates *found, const struct population *population,
                             enum specimen_kind kind)
{
    for (unsigned i = 0; i < found->count; i++) {
        struct location location = found->locations[i];

        location.width = sizeof(uintptr_t);
        if (location.path.offsets[0] < 0 &&
            location.path.offsets[0] % (int32_t)sizeof(uintptr_t) == 0 &&
            fits_all(&location, population, kind, fact_references))
            found->locations[i] = location;
    }
}

void layout_draft_search(struct layout_draft *draft, const struct population *population)
{
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];

        of->is_there = count_kind(population, kind) > 0;
        if (!of->is_there)
            continue;
        for (enum fact fact = 0; fact < FACTS; fact++)
            search_field(population, kind, fact, &of->fields[fact]);
        search_unique(of, population, kind);
        widen_references(&of->fields[fact_references], population, kind);
        for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
            search_list(population, kind, list, &of->lists[list]);
    }
}

void layout_draft_filter(struct layout_draft *draft, const struct population *population)
{
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];

        for (enum fact fact = 0; fact < FACTS && of->is_there; fact++)
            if (fact != fact_unique)
                search_field_filter(population, kind, fact, &of->fields[fact]);
        filter_unique(of, population, kind);
        for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
            search_list_filter(population, kind, list, &of->lists[list]);
    }
}

static bool is_same_location(const struct location *one, const struct location *other)
{
    if (one->width != other->width || one->adjust != other->adjust ||
        one->path.count != other->path.count)
        return false;
    for (unsigned i = 0; i < one->path.count; i++)
        if (one->path.offsets[i] != other->path.offsets[i])
            return false;
    return true;
}

/* Whether two kinds of object are likely to have FACT at the same location. */
static bool are_alike(enum specimen_kind one, enum specimen_kind other, enum fact fact)
{
    return fact == fact_references || (one >= specimen_buffer && one <= specimen_pipe &&
                                       other >= specimen_buffer && other <= specimen_pipe);
}

/* Of several locations for a field, choose that of a similar kind. */
static void choose_as_others(struct layout_draft *draft, enum specimen_kind kind, enum fact fact)
{
    struct field_candidates *found = &draft->kinds[kind].fields[fact];

    for (enum specimen_kind other = specimen_context; other < SPECIMEN_KINDS; other++) {
        const struct location *of_other =
            are_alike(kind, other, fact) ? layout_draft_field(draft, other, fact) : NULL;

        for (unsigned i = 0; i < found->count && found->count > 1 && of_other != NULL; i++)
            if (is_same_location(&found->locations[i], of_other)) {
                found->locations[0] = found->locations[i];
                found->count = 1;
            }
    }
}

/* Whether all candidates have a condition. */
static bool is_conditional(const struct field_candidates *found)
{
    for (unsigned i = 0; i < found->count; i++)
        if (found->locations[i].when.rule.width == 0)
            return false;
    return true;
}

/* A field needs one location.  But a value that an object is created with may be stored twice,
 * and both locations match all objects. */
static void choose_field(struct layout_draft *draft, enum specimen_kind kind, enum fact fact)
{
    struct field_candidates *found = &draft->kinds[kind].fields[fact];

    if (found->count > 1)
        choose_as_others(draft, kind, fact);
    /* The first location with a condition is the most likely one. */
    if (found->count > 1)
        found->count = fact_infos[fact].is_fixed || is_conditional(found) ? 1 : 0;
}

/* In a list that never changes, the end of the elements is also the end of the storage.  The
 * first of these locations is the former. */
static void choose_list(struct list_candidates *found, enum specimen_list list)
{
    if (found->count > 1)
        found->count = list_infos[list].is_fixed ? 1 : 0;
}

void layout_draft_choose(struct layout_draft *draft)
{
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];

        for (enum fact fact = 0; fact < FACTS && of->is_there; fact++)
            choose_field(draft, kind, fact);
        for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
            choose_list(&of->lists[list], list);
    }
}

static bool is_field_known(const struct population *population, enum specimen_kind kind,
                           enum fact fact)
{
    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].kind == kind &&
            specimen_knows(&population->specimens[i], fact))
            return true;
    return false;
}

static bool is_list_known(const struct population *population, enum specimen_kind kind,
                          enum specimen_list list)
{
    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].kind == kind && population->specimens[i].lists[list].count > 0)
            return true;
    return false;
}

void layout_draft_report_missing(const struct layout_draft *draft,
                                 const struct population *population)
{
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        const struct layout_draft_kind *of = &draft->kinds[kind];

        for (enum fact fact = 0; fact < FACTS && of->is_there; fact++)
            if (fact_names[fact] != NULL && of->fields[fact].count == 0 &&
                is_field_known(population, kind, fact))
                protocol_note("%s: no field %s", specimen_kind_names[kind], fact_names[fact]);
        for (enum specimen_list list = 0; list < SPECIMEN_LISTS && of->is_there; list++)
            if (of->lists[list].count == 0 && is_list_known(population, kind, list))
                protocol_note("%s: no list %s", specimen_kind_names[kind], list_infos[list].name);
    }
}

const struct location *layout_draft_field(const struct layout_draft *draft, enum specimen_kind kind,
                                          enum fact fact)
{
    const struct field_candidates *found = &draft->kinds[kind].fields[fact];

    return draft->kinds[kind].is_there && found->count == 1 ? &found->locations[0] : NULL;
}
