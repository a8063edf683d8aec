/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fields that only some objects of a kind have, as only sub-buffers have a parent.  In other
 * objects, that location has something else.  Another number, a tag, distinguishes the two, as in
 * Rust's enums.
 */
#include <learn/search/search.h>

#include <string.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define PART_LEAST 3 /* number of objects with it, and without it */
#define TAG_MOST 0xffff
#define TOP_BIT (UINT64_C(1) << 63)

/* Whether the specimen has FACT. */
static bool has_it(const struct specimen *specimen, enum fact fact)
{
    bool is_part = specimen->values[fact_parent] != 0;

    if (fact == fact_parent)
        return is_part;
    return specimen_knows(specimen, fact) && !is_part;
}

/* Whether the specimen is of KIND and lacks FACT. */
static bool lacks_it(const struct specimen *specimen, enum fact fact)
{
    bool is_part = specimen->values[fact_parent] != 0;

    return fact == fact_parent ? !is_part : is_part;
}

static unsigned count_with(const struct population *population, enum specimen_kind kind,
                           enum fact fact,
                           bool (*is_one)(const struct specimen *specimen, enum fact fact))
{
    unsigned number = 0;

    for (unsigned i = 0; i < population->count; i++)
        number += population->specimens[i].kind == kind && is_one(&population->specimens[i], fact);
    return number;
}

/* Whether all specimens with FACT have it at LOCATION. */
static bool fits_all(const struct location *location, const struct population *population,
                     enum specimen_kind kind, enum fact fact)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (specimen->kind == kind && has_it(specimen, fact) &&
            !location_fits(location, specimen, fact))
            return false;
    }
    return true;
}

/* Whether the number at RULE is the same (*VALUE) in all ONES, and another one in all OTHERS. */
static bool is_tag(const struct population *population, enum specimen_kind kind, enum fact fact,
                   const struct layout_rule *rule, bool of_those_that_have, uint64_t *value)
{
    bool (*is_one)(const struct specimen *, enum fact) = of_those_that_have ? has_it : lacks_it;
    bool (*is_other)(const struct specimen *, enum fact) = of_those_that_have ? lacks_it : has_it;
    bool is_known = false;

    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < population->count; i++) {
            const struct specimen *specimen = &population->specimens[i];
            uint64_t number;

            if (specimen->kind != kind)
                continue;
            if (rule->offset < specimen->extent.lowest ||
                rule->offset + rule->width > specimen->extent.highest ||
                !specimen_number(specimen, rule->offset, rule->width, &number))
                return false;
            if (pass == 0 && is_one(specimen, fact)) {
                if (is_known && number != *value)
                    return false;
                *value = number;
                is_known = true;
            }
            if (pass == 1 && is_other(specimen, fact) && number == *value)
                return false;
        }
    /* It must be neither an address nor a number that differs between processes.  Rust's numbers
     * may have the top bit set if a vector's capacity is stored there. */
    return is_known && (*value & ~TOP_BIT) <= TAG_MOST;
}

/* How unlikely it is that a tag is chance: an otherwise unused number is best, then one close to
 * the field. */
static uint64_t rank_of(const struct location *location)
{
    const struct layout_rule *rule = &location->when.rule;
    int32_t distance = location->path.offsets[0] - rule->offset;

    return (rule->least >= TOP_BIT ? 0 : UINT64_C(1) << 32) +
           (uint64_t)(distance < 0 ? -distance : distance);
}

/* Insert LOCATION among the candidates, in order. */
static void part_location_add(struct field_candidates *found, const struct location *location)
{
    unsigned at = found->count < SEARCH_LIMIT ? found->count++ : SEARCH_LIMIT - 1;

    for (; at > 0 && rank_of(&found->locations[at - 1]) > rank_of(location); at--)
        found->locations[at] = found->locations[at - 1];
    found->locations[at] = *location;
}

/* Record LOCATION with all conditions that distinguish the two groups. */
static void try_tags(const struct population *population, enum specimen_kind kind, enum fact fact,
                     const struct specimen *example, struct location location,
                     struct field_candidates *found)
{
    struct layout_rule *rule = &location.when.rule;

    for (int32_t at = example->extent.lowest; at + WORD <= example->extent.highest; at += WORD)
        for (int of_those_that_have = 0; of_those_that_have < 2; of_those_that_have++) {
            *rule = (struct layout_rule){.offset = at, .width = (uint8_t)WORD};
            if (at == 0 ||
                !is_tag(population, kind, fact, rule, of_those_that_have != 0, &rule->least))
                continue;
            rule->most = rule->least;
            location.when.is_except = of_those_that_have == 0;
            part_location_add(found, &location);
        }
}

void search_part(const struct population *population, enum specimen_kind kind, enum fact fact,
                 struct field_candidates *found)
{
    const struct specimen *example = NULL;

    if (kind != specimen_buffer || (fact != fact_parent && fact != fact_host_pointer) ||
        count_with(population, kind, fact, has_it) < PART_LEAST ||
        count_with(population, kind, fact, lacks_it) < PART_LEAST)
        return;
    for (unsigned i = 0; i < population->count && example == NULL; i++)
        if (population->specimens[i].kind == kind && has_it(&population->specimens[i], fact))
            example = &population->specimens[i];
    for (int32_t at = example->extent.lowest; at + WORD <= example->extent.highest; at += WORD) {
        struct location location = {.path = {.offsets = {at}, .count = 1}, .width = (uint8_t)WORD};
        uint64_t stored;
        int64_t adjust;

        if (!specimen_number(example, at, (unsigned)WORD, &stored))
            continue;
        adjust = (int64_t)(example->values[fact] - stored);
        if (adjust != 0 && (!fact_infos[fact].is_handle || adjust < -ADJUST_LIMIT ||
                            adjust > ADJUST_LIMIT || adjust % WORD != 0))
            continue;
        location.adjust = (int32_t)adjust;
        if (fits_all(&location, population, kind, fact))
            try_tags(population, kind, fact, example, location, found);
    }
}
