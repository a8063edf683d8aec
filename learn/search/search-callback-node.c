/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields that a runtime stores in the node of a callback of its own, in the list that also has
 * the program's callbacks.  The object points to the first node, which points to the data of its
 * callback.  The program's callbacks come first, so the runtime's is only in the last node. */
#include <learn/search/search.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define NODE_HIGHEST 128 /* bytes of a node to search, and of what it points to */
#define FITTING_LEAST 3  /* number of specimens whose first node is the runtime's */
#define UNUSUAL_VALUE 255

/* The specimens of a kind with a fact. */
struct search {
    const struct population *population;
    enum specimen_kind kind;
    enum fact fact;
    struct location location; /* as far as known */
    struct field_candidates *found;
};

static bool has_fact(const struct search *search, const struct specimen *specimen)
{
    return specimen->kind == search->kind && specimen_knows(specimen, search->fact);
}

/* Whether the specimen has the fact at the location. */
static bool has_it(const struct search *search, const struct specimen *specimen)
{
    uint64_t value;

    return path_is_within(&search->location.path, search->location.width, &specimen->extent) &&
           location_value(&search->location, specimen->handle, &value) &&
           (!fact_infos[search->fact].is_followed ||
            own_memory_number((uintptr_t)value, (unsigned)WORD, &value)) &&
           value == specimen->values[search->fact];
}

/* Whether enough specimens have the fact at the location, with values that exclude chance. */
static bool is_likely(const struct search *search)
{
    const struct specimen *example = NULL;
    unsigned count = 0;
    bool is_varied = false;

    for (unsigned i = 0; i < search->population->count; i++) {
        const struct specimen *specimen = &search->population->specimens[i];

        if (!has_fact(search, specimen) || !has_it(search, specimen))
            continue;
        is_varied |=
            example != NULL && specimen->values[search->fact] != example->values[search->fact];
        example = specimen;
        count++;
    }
    if (count < FITTING_LEAST)
        return false;
    return is_varied ||
           (fact_infos[search->fact].may_be_alike && example->values[search->fact] > UNUSUAL_VALUE);
}

/* Whether the word at PATH is 0 exactly in those specimens that have the fact at the location,
 * and some have not. */
static bool indicates_fact(const struct search *search, const struct layout_path *path)
{
    bool is_needed = false;

    for (unsigned i = 0; i < search->population->count; i++) {
        const struct specimen *specimen = &search->population->specimens[i];
        uintptr_t at;
        uint64_t word;

        if (!has_fact(search, specimen))
            continue;
        if (!path_follow(path, specimen->handle, &at) ||
            !own_memory_number(at, (unsigned)WORD, &word) ||
            (word == 0) != has_it(search, specimen))
            return false;
        is_needed |= word != 0;
    }
    return is_needed;
}

/* Record the location with each word of the node that shows where it is valid. */
static void find_conditions(struct search *search)
{
    struct layout_path path = {.offsets = {search->location.path.offsets[0], 0}, .count = 2};

    if (!is_likely(search))
        return;
    for (int32_t at = 0; at + WORD <= NODE_HIGHEST; at += WORD) {
        path.offsets[1] = at;
        if (search->found->count == SEARCH_LIMIT || !indicates_fact(search, &path))
            continue;
        search->location.known.path = path;
        search->found->locations[search->found->count++] = search->location;
        search->location.known.path.count = 0;
        return;
    }
}

/* Try what the pointer at offset TO of EXAMPLE's node at ADDRESS points to. */
static void try_node(struct search *search, const struct specimen *example, uintptr_t address)
{
    struct layout_path *path = &search->location.path;
    struct malloc_block node;
    struct malloc_block block;

    if (!guard_heap_find(address, &node) || node.start != address)
        return;
    for (int32_t to = 0; to + WORD <= NODE_HIGHEST && (size_t)(to + WORD) <= node.size;
         to += WORD) {
        uint64_t pointer;

        if (!own_memory_number(address + (uintptr_t)to, (unsigned)WORD, &pointer) ||
            !guard_heap_find((uintptr_t)pointer, &block) || block.start != pointer)
            continue;
        path->offsets[1] = to;
        for (int32_t at = 0;
             at < NODE_HIGHEST && (size_t)(at + search->location.width) <= block.size;
             at += search->location.width) {
            path->offsets[2] = at;
            if (has_it(search, example))
                find_conditions(search);
        }
    }
}

static void try_example(struct search *search, const struct specimen *example)
{
    const struct extent *extent = &example->extent;

    for (int32_t at = extent->lowest; at + WORD <= extent->highest; at += WORD) {
        uint64_t pointer;

        if (!own_memory_number(example->handle + (intptr_t)at, (unsigned)WORD, &pointer))
            continue;
        search->location.path.offsets[0] = at;
        try_node(search, example, (uintptr_t)pointer);
    }
}

void search_callback_node(const struct population *population, enum specimen_kind kind,
                          enum fact fact, struct field_candidates *found)
{
    unsigned width = fact_infos[fact].width;
    struct search search = {
        .population = population,
        .kind = kind,
        .fact = fact,
        .location = {.path = {.count = 3}, .width = (uint8_t)(width != 0 ? width : (unsigned)WORD)},
        .found = found,
    };

    if (!fact_infos[fact].is_in_callback_node)
        return;
    for (unsigned i = 0; i < population->count && found->count == 0; i++)
        if (has_fact(&search, &population->specimens[i]))
            try_example(&search, &population->specimens[i]);
}
