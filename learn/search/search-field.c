/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields: a location has a fact if it matches all specimens, whose values differ. */
#include <learn/search/search.h>

#include <string.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define UNUSUAL_VALUE 255 /* a larger value does not match by chance */
#define HOP_HIGHEST 256   /* bytes of pointed-to memory to search */

static bool has_fact(const struct specimen *specimen, enum specimen_kind kind, enum fact fact)
{
    return specimen->kind == kind && specimen_knows(specimen, fact);
}

/* The specimen with the largest value; NULL if their values are not distinctive enough. */
static const struct specimen *field_example_choose(const struct population *population,
                                                   enum specimen_kind kind, enum fact fact)
{
    const struct specimen *example = NULL;
    unsigned count = 0;
    bool is_varied = false;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (!has_fact(specimen, kind, fact) ||
            (fact == fact_host_pointer && specimen->values[fact_parent] != 0))
            continue;
        count++;
        is_varied |= example != NULL && specimen->values[fact] != example->values[fact];
        if (example == NULL || specimen->values[fact] > example->values[fact])
            example = specimen;
    }
    if (count < 2)
        return NULL;
    if (is_varied)
        return example;
    return fact_infos[fact].may_be_alike && example->values[fact] > UNUSUAL_VALUE ? example : NULL;
}

static void field_location_add(struct field_candidates *found, const struct location *location)
{
    if (found->count < SEARCH_LIMIT)
        found->locations[found->count++] = *location;
}

/* Try the bytes at the last offset of LOCATION, whose address is AT. */
static void try_location(struct location *location, uintptr_t at, const struct specimen *example,
                         enum fact fact, struct field_candidates *found)
{
    uint64_t value = example->values[fact];
    uint64_t stored;
    int64_t adjust;

    if (!own_memory_number(at, location->width, &stored))
        return;
    if (fact_infos[fact].is_followed) {
        if (stored != 0 && own_memory_number((uintptr_t)stored, WORD, &stored) && stored == value)
            field_location_add(found, location);
        return;
    }
    adjust = (int64_t)(value - stored);
    if (adjust != 0 && (!fact_infos[fact].is_handle || adjust < -ADJUST_LIMIT ||
                        adjust > ADJUST_LIMIT || adjust % WORD != 0))
        return;
    location->adjust = (int32_t)adjust;
    field_location_add(found, location);
    location->adjust = 0;
}

static void search_direct(const struct specimen *example, enum fact fact, unsigned width,
                          struct field_candidates *found)
{
    struct location location = {.path = {.count = 1}, .width = (uint8_t)width};
    int32_t lowest = example->extent.lowest;

    for (int32_t at = lowest; at + (int32_t)width <= example->extent.highest;
         at += (int32_t)width) {
        location.path.offsets[0] = at;
        try_location(&location, example->handle + (intptr_t)at, example, fact, found);
    }
}

static void search_hop(const struct specimen *example, enum fact fact, unsigned width,
                       struct field_candidates *found)
{
    struct location location = {.path = {.count = 2}, .width = (uint8_t)width};

    for (int32_t at = example->extent.lowest; at + WORD <= example->extent.highest; at += WORD) {
        uint64_t pointer;
        struct malloc_block block;

        if (!own_memory_number(example->handle + (intptr_t)at, WORD, &pointer) ||
            !guard_heap_find((uintptr_t)pointer, &block))
            continue;
        location.path.offsets[0] = at;
        for (uintptr_t to = block.start; to + width <= block.start + block.size; to += width) {
            int64_t offset = (int64_t)(to - (uintptr_t)pointer);

            if (offset < -ADJUST_LIMIT || offset >= HOP_HIGHEST)
                continue;
            location.path.offsets[1] = (int32_t)offset;
            try_location(&location, to, example, fact, found);
        }
    }
}

void search_field_filter(const struct population *population, enum specimen_kind kind,
                         enum fact fact, struct field_candidates *found)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        unsigned kept = 0;

        if (!has_fact(specimen, kind, fact))
            continue;
        for (unsigned j = 0; j < found->count; j++)
            if (location_fits(&found->locations[j], specimen, fact))
                found->locations[kept++] = found->locations[j];
        found->count = kept;
    }
}

/* The widths to try, in order: that of the API; a word for a counter before the object; others. */
static unsigned choose_widths(enum fact fact, unsigned *widths)
{
    unsigned own = fact_infos[fact].width != 0 ? fact_infos[fact].width : (unsigned)WORD;
    unsigned count = 0;

    widths[count++] = own;
    if (fact_infos[fact].width == 0)
        return count;
    for (unsigned width = 8; width >= 2; width /= 2)
        if (width != own)
            widths[count++] = width;
    return count;
}

void search_field(const struct population *population, enum specimen_kind kind, enum fact fact,
                  struct field_candidates *found)
{
    const struct specimen *example = field_example_choose(population, kind, fact);
    unsigned widths[4];
    unsigned count = choose_widths(fact, widths);

    memset(found, 0, sizeof(*found));
    if (example == NULL)
        return;
    for (int hops = 0; hops < 2; hops++)
        for (unsigned i = 0; i < count && found->count == 0; i++) {
            if (hops == 0)
                search_direct(example, fact, widths[i], found);
            else
                search_hop(example, fact, widths[i], found);
            search_field_filter(population, kind, fact, found);
        }
    if (found->count == 0)
        search_part(population, kind, fact, found);
    if (found->count == 0)
        search_callback_node(population, kind, fact, found);
}
