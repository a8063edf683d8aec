/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Trees: a node that is both root and leaf shows where nodes have their elements; a larger tree
 * shows the rest.
 */
#include <learn/search/search.h>

#include <string.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define NODE_LEAST 16     /* bytes */
#define NEAR 64           /* bytes between the pointer to the root and the height and count */
#define STRIDE_HIGHEST 64 /* distance of elements, in bytes */
#define LEAF_LEAST 3      /* elements of the leaf to start with */
#define USED_WIDTH 2

/* The state of a search. */
struct search {
    const struct population *population;
    enum specimen_kind kind;
    enum specimen_list list;
    const struct specimen *large;  /* a tree of several nodes */
    const struct specimen *small;  /* a tree of a single leaf */
    struct list_location location; /* as far as known */
    struct list_candidates *found;
};

/* A specimen whose list has from LEAST to MOST elements, or NULL. */
static const struct specimen *leaf_example_choose(const struct search *search, unsigned least,
                                                  unsigned most)
{
    for (unsigned i = 0; i < search->population->count; i++) {
        const struct specimen *specimen = &search->population->specimens[i];
        const struct truth_list *truth = &specimen->lists[search->list];

        if (specimen->kind == search->kind && truth->is_known && truth->count >= least &&
            truth->count <= most)
            return specimen;
    }
    return NULL;
}

static bool leaf_word_read(uintptr_t address, uint64_t *word)
{
    return own_memory_number(address, (unsigned)WORD, word);
}

/* Find the children of the larger tree's nodes, and record what matches in both trees. */
static void find_children(struct search *search, uintptr_t root)
{
    struct malloc_block block;

    if (!guard_heap_find(root, &block))
        return;
    for (uintptr_t at = block.start; at + 2 * sizeof(uintptr_t) <= block.start + block.size;
         at += sizeof(uintptr_t)) {
        search->location.children = (int32_t)(at - root);
        if (search->found->count < SEARCH_LIMIT &&
            list_fits(&search->location, search->large, search->list) &&
            list_fits(&search->location, search->small, search->list))
            search->found->locations[search->found->count++] = search->location;
    }
}

/* Find the height and count of both trees near the pointer to the root. */
static void find_numbers(struct search *search)
{
    struct list_location *location = &search->location;
    int32_t about = location->first.offsets[0];
    const struct specimen *large = search->large;
    uint64_t root;
    uint64_t word;

    if (!leaf_word_read(large->handle + (intptr_t)about, &root))
        return;
    for (int32_t height = about - NEAR; height <= about + NEAR; height += WORD) {
        if (!specimen_number(large, height, (unsigned)WORD, &word) || word == 0 || word > 2 ||
            !specimen_number(search->small, height, (unsigned)WORD, &word) || word != 0)
            continue;
        for (int32_t end = about - NEAR; end <= about + NEAR; end += WORD) {
            if (!specimen_number(large, end, (unsigned)WORD, &word) ||
                word != large->lists[search->list].count)
                continue;
            location->height = (struct layout_path){.offsets = {height}, .count = 1};
            location->end = (struct layout_path){.offsets = {end}, .count = 1};
            find_children(search, (uintptr_t)root);
        }
    }
}

/* Try all locations of BLOCK for the number of elements in the leaf NODE. */
static void find_used(struct search *search, uintptr_t node, const struct malloc_block *block)
{
    uint64_t number;

    for (uintptr_t at = block->start; at + USED_WIDTH <= block->start + block->size;
         at += USED_WIDTH)
        if (own_memory_number(at, USED_WIDTH, &number) &&
            number == search->small->lists[search->list].count) {
            search->location.used = (int32_t)(at - node);
            find_numbers(search);
        }
}

/* Whether the leaf has value number WHICH of all elements from AT on, STRIDE bytes apart, in key
 * order. */
static bool has_values(const struct search *search, unsigned which, uintptr_t at, int32_t stride)
{
    const struct truth_list *truth = &search->small->lists[search->list];
    unsigned key = search->location.key;

    for (unsigned i = 0; i < truth->count; i++) {
        unsigned before = 0;
        uint64_t word;

        for (unsigned j = 0; j < truth->count; j++)
            before += truth->elements[j][key] < truth->elements[i][key];
        if (!leaf_word_read(at + before * (uintptr_t)stride, &word) ||
            word != truth->elements[i][which])
            return false;
    }
    return true;
}

/* Try the locations of value number WHICH in the leaf NODE, and then those of the next value. */
static void find_values(struct search *search, unsigned which, uintptr_t node,
                        const struct malloc_block *block)
{
    if (which == 2 || list_infos[search->list].elements[which] == NULL) {
        find_used(search, node, block);
        return;
    }
    for (uintptr_t at = block->start; at + sizeof(uintptr_t) <= block->start + block->size;
         at += sizeof(uintptr_t))
        for (int32_t stride = WORD; stride <= STRIDE_HIGHEST; stride += WORD)
            if (has_values(search, which, at, stride)) {
                search->location.elements[which] = (struct location){
                    .path = {.offsets = {(int32_t)(at - node)}, .count = 1},
                    .width = (uint8_t)WORD,
                    .every = stride,
                };
                find_values(search, which + 1, node, block);
            }
}

void search_tree(const struct population *population, enum specimen_kind kind,
                 enum specimen_list list, struct list_candidates *found)
{
    struct search search = {.population = population, .kind = kind, .list = list, .found = found};

    search.small = leaf_example_choose(&search, LEAF_LEAST, 10);
    search.large = leaf_example_choose(&search, 12, LIST_ELEMENTS);
    if (search.small == NULL || search.large == NULL || list_infos[list].is_handle)
        return;
    for (int32_t at = search.small->extent.lowest; at + WORD <= search.small->extent.highest;
         at += WORD) {
        struct malloc_block block;
        uint64_t root;

        if (!specimen_number(search.small, at, (unsigned)WORD, &root) ||
            !guard_heap_find((uintptr_t)root, &block) || block.size < NODE_LEAST)
            continue;
        memset(&search.location, 0, sizeof(search.location));
        search.location.shape = layout_tree;
        search.location.key = list_infos[list].key;
        search.location.first = (struct layout_path){.offsets = {at}, .count = 1};
        find_values(&search, 0, (uintptr_t)root, &block);
    }
    search_list_filter(population, kind, list, found);
}
