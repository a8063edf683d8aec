/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Balanced binary trees: start from a node with one of the keys, and find pointers that lead to
 * all keys. */
#include <learn/search/search.h>

#include <string.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define NODE_HIGHEST 256 /* bytes of a node to search */
#define NEAR 64          /* bytes between the pointer to the root and the count */
#define ELEMENTS_LEAST 3
#define ELEMENTS_MOST 14

/* The state of a search. */
struct search {
    const struct specimen *example;
    enum specimen_list list;
    const struct truth_list *truth;
    struct list_location location; /* as far as known */
    struct list_candidates *found;
};

static bool tree_word_read(uintptr_t address, uint64_t *word)
{
    return own_memory_number(address, (unsigned)WORD, word);
}

/* The specimen with the most elements, if it has enough; otherwise NULL. */
static const struct specimen *tree_example_choose(const struct population *population,
                                                  enum specimen_kind kind, enum specimen_list list)
{
    const struct specimen *example = NULL;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        const struct truth_list *truth = &specimen->lists[list];

        if (specimen->kind == kind && truth->is_known && truth->count >= ELEMENTS_LEAST &&
            truth->count <= ELEMENTS_MOST &&
            (example == NULL || truth->count > example->lists[list].count))
            example = specimen;
    }
    return example;
}

/* Whether WORD is the key of one of the elements. */
static bool is_key(const struct search *search, uint64_t word)
{
    for (unsigned i = 0; i < search->truth->count; i++)
        if (search->truth->elements[i][search->location.key] == word)
            return true;
    return false;
}

/* The keys match: find the other value. */
static void find_other_value(struct search *search, int32_t most)
{
    struct location *other = &search->location.elements[1 - search->location.key];

    for (int32_t at = 0; at + WORD <= most; at += WORD) {
        *other = (struct location){.path = {{at}, 1}, .width = (uint8_t)WORD};
        if (search->found->count < SEARCH_LIMIT &&
            list_fits(&search->location, search->example, search->list))
            search->found->locations[search->found->count++] = search->location;
    }
    memset(other, 0, sizeof(*other));
}

/* The locations of the key and the count are known: find the two pointers. */
static void find_pointers(struct search *search, int32_t most)
{
    struct list_location *location = &search->location;

    for (location->left = 0; location->left + WORD <= most; location->left += WORD)
        for (location->right = 0; location->right + WORD <= most; location->right += WORD)
            if (location->left != location->right &&
                list_fits(location, search->example, search->list))
                find_other_value(search, most);
}

/* Find the number of elements near the pointer to the root. */
static void find_count(struct search *search, int32_t most)
{
    struct layout_path *end = &search->location.end;
    int32_t *offset = &end->offsets[search->location.first.count - 1];
    int32_t about = search->location.first.offsets[search->location.first.count - 1];
    uint64_t count;

    *end = search->location.first;
    for (*offset = about - NEAR; *offset <= about + NEAR; *offset += WORD)
        if (path_read(end, search->example, &count) && count == search->truth->count)
            find_pointers(search, most);
}

/* PATH leads to a pointer to ROOT. */
static void try_root(struct search *search, const struct layout_path *path, uintptr_t root)
{
    struct malloc_block block;
    int32_t most;

    if (!guard_heap_find(root, &block) || block.start != root)
        return;
    most = block.size < NODE_HIGHEST ? (int32_t)block.size : NODE_HIGHEST;
    for (int32_t at = 0; at + WORD <= most; at += WORD) {
        uint64_t word;

        if (!tree_word_read(root + (uintptr_t)at, &word) || !is_key(search, word))
            continue;
        search->location.first = *path;
        search->location.elements[search->location.key] =
            (struct location){.path = {{at}, 1}, .width = (uint8_t)WORD};
        find_count(search, most);
    }
}

/* Try the pointers in the object itself and, if FURTHER, those in the memory that they point to. */
static void try_paths(struct search *search, bool further)
{
    const struct extent *extent = &search->example->extent;

    for (int32_t at = extent->lowest; at + WORD <= extent->highest; at += WORD) {
        struct layout_path path = {.offsets = {at}, .count = 1};
        struct malloc_block block;
        uint64_t pointer;

        if (!tree_word_read(search->example->handle + (intptr_t)at, &pointer))
            continue;
        if (!further) {
            try_root(search, &path, (uintptr_t)pointer);
            continue;
        }
        if (!guard_heap_find((uintptr_t)pointer, &block) || block.start != pointer)
            continue;
        path.count = 2;
        for (uintptr_t to = 0; to + sizeof(uintptr_t) <= block.size && to < NODE_HIGHEST;
             to += sizeof(uintptr_t)) {
            uint64_t root;

            path.offsets[1] = (int32_t)to;
            if (tree_word_read((uintptr_t)pointer + to, &root))
                try_root(search, &path, (uintptr_t)root);
        }
    }
}

void search_binary_tree(const struct population *population, enum specimen_kind kind,
                        enum specimen_list list, struct list_candidates *found)
{
    struct search search = {
        .example = tree_example_choose(population, kind, list),
        .list = list,
        .location = {.shape = layout_binary_tree, .key = list_infos[list].key},
        .found = found,
    };

    if (search.example == NULL || list_infos[list].is_handle)
        return;
    search.truth = &search.example->lists[list];
    for (int further = 0; further < 2 && found->count == 0; further++) {
        try_paths(&search, further != 0);
        search_list_filter(population, kind, list, found);
    }
}
