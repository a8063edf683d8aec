/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists: find words of an object, or of what it points to, that lead to the first element. */
#include <learn/search/search.h>

#include <string.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define NODE_HIGHEST 512  /* bytes of a node to search */
#define STRIDE_HIGHEST 64 /* distance of elements, in bytes */
#define END_DISTANCE 64   /* bytes between the words for the two ends of a list */
#define SPARSE_MOST 4     /* nodes between two elements that are not elements */
#define EXAMPLE_LEAST 3   /* elements of the list to start with */
#define EXAMPLE_MOST 7

/* The state of a search. */
struct search {
    const struct specimen *example;
    enum specimen_list list;
    const struct truth_list *truth;
    unsigned key;                  /* the value that identifies elements */
    struct list_location location; /* as far as known */
    struct list_candidates *found;
};

static bool list_word_read(uintptr_t address, uintptr_t *word)
{
    uint64_t number;

    if (!own_memory_number(address, sizeof(*word), &number))
        return false;
    *word = (uintptr_t)number;
    return true;
}

/* The key of the element with index INDEX in storage order. */
static uintptr_t key_at(const struct search *search, unsigned index)
{
    unsigned of = search->location.is_newest_first ? search->truth->count - 1 - index : index;

    return search->truth->elements[of][search->key];
}

/* The bytes around NODE that belong to it. */
static struct extent extent_of(uintptr_t node)
{
    struct extent extent = {-ADJUST_LIMIT, NODE_HIGHEST, false};
    struct malloc_block block;

    if (!guard_heap_find(node, &block))
        return extent;
    extent.is_block = true;
    if (node - block.start < ADJUST_LIMIT)
        extent.lowest = (int32_t)(block.start - node);
    if (block.start + block.size - node < NODE_HIGHEST)
        extent.highest = (int32_t)(block.start + block.size - node);
    return extent;
}

/* The keys match: find the other value, and record what matches in all specimens. */
static void find_other_value(struct search *search, uintptr_t first_element)
{
    struct location *other = &search->location.elements[1 - search->key];
    struct extent extent = extent_of(first_element);
    bool has_other = list_infos[search->list].elements[1] != NULL;

    for (int32_t at = extent.lowest; at + WORD <= extent.highest; at += WORD) {
        if (has_other)
            *other = (struct location){.path = {{at}, 1}, .width = (uint8_t)WORD};
        if (search->found->count < SEARCH_LIMIT &&
            list_fits(&search->location, search->example, search->list))
            search->found->locations[search->found->count++] = search->location;
        if (!has_other)
            return;
    }
}

/* Whether NODE has the key with index INDEX in storage order, at the location for keys. */
static bool has_key(const struct search *search, uintptr_t node, unsigned index)
{
    uint64_t value;

    return location_value(&search->location.elements[search->key], node, &value) &&
           value == key_at(search, index);
}

/* The next location for keys, from AT on, that matches NODE, the first element. */
static bool find_key(struct search *search, uintptr_t node, int32_t *at)
{
    struct location *key = &search->location.elements[search->key];
    struct extent extent = extent_of(node);
    bool is_handle = list_infos[search->list].is_handle;

    for (; *at + WORD <= extent.highest; *at += WORD) {
        uintptr_t word;
        int64_t adjust;

        if (*at < extent.lowest || !list_word_read(node + (intptr_t)*at, &word))
            continue;
        adjust = (int64_t)(key_at(search, 0) - word);
        if (adjust != 0 &&
            (!is_handle || adjust < -ADJUST_LIMIT || adjust > ADJUST_LIMIT || adjust % WORD != 0))
            continue;
        *key = (struct location){.path = {{*at}, 1}, .width = (uint8_t)WORD};
        key->adjust = (int32_t)adjust;
        *at += WORD;
        return true;
    }
    return false;
}

/* Whether the second element follows node *SECOND, after other nodes whose key is 0. */
static bool find_sparse(struct search *search, uintptr_t *second)
{
    const struct location *key = &search->location.elements[search->key];
    uint64_t value;

    search->location.key = (uint8_t)search->key;
    search->location.is_sparse = key->width != 0;
    for (unsigned i = 0; i < SPARSE_MOST && search->location.is_sparse; i++) {
        if (!location_value(key, *second, &value) || value != 0 ||
            !list_word_read(*second + (intptr_t)search->location.next, second) || *second == 0)
            return false;
        if (has_key(search, *second, 1))
            return true;
    }
    return false;
}

static void try_links(struct search *search, uintptr_t node)
{
    struct extent extent = extent_of(node);

    search->location.shape = layout_linked;
    for (int32_t next = extent.lowest; next + WORD <= extent.highest; next += WORD) {
        uintptr_t second;

        search->location.next = next;
        search->location.is_sparse = false;
        if (!list_word_read(node + (intptr_t)next, &second) || second == 0)
            continue;
        if (!has_key(search, second, 1) && !find_sparse(search, &second))
            continue;
        find_other_value(search, node);
    }
    search->location.is_sparse = false;
}

static void try_linked(struct search *search, uintptr_t node)
{
    struct location *key = &search->location.elements[search->key];
    int32_t at = -ADJUST_LIMIT;

    /* The list contains the nodes themselves. */
    if (list_infos[search->list].is_handle) {
        int64_t offset = (int64_t)(key_at(search, 0) - node);

        if (offset >= -ADJUST_LIMIT && offset <= ADJUST_LIMIT) {
            *key = (struct location){.path = {{(int32_t)offset}, 1}};
            try_links(search, node);
        }
    }
    while (find_key(search, node, &at))
        try_links(search, node);
}

/* The elements are STRIDE bytes apart: find their number, around FIRST. */
static void try_ends(struct search *search, uintptr_t first_element)
{
    struct list_location *location = &search->location;
    int32_t *end = &location->end.offsets[location->end.count - 1];
    int32_t about = *end;

    for (*end = about - END_DISTANCE; *end <= about + END_DISTANCE; *end += WORD) {
        if (*end == about)
            continue;
        if (location->shape == layout_deque) {
            find_other_value(search, first_element);
            continue;
        }
        location->shape = layout_range;
        find_other_value(search, first_element);
        location->shape = layout_array;
        find_other_value(search, first_element);
    }
    *end = about;
}

static void try_row(struct search *search, uintptr_t first)
{
    struct list_location *location = &search->location;

    for (int boxed = 0; boxed < 2; boxed++) {
        uintptr_t node = first;
        int32_t at = boxed != 0 ? -ADJUST_LIMIT : 0;

        location->is_boxed = boxed != 0;
        if (boxed != 0 && (!list_word_read(first, &node) || node == 0))
            break;
        while (find_key(search, node, &at))
            for (location->stride = WORD; location->stride <= STRIDE_HIGHEST;
                 location->stride += WORD) {
                uintptr_t second = first + (uintptr_t)location->stride;

                if (boxed != 0 && !list_word_read(second, &second))
                    continue;
                if (has_key(search, second, 1))
                    try_ends(search, node);
            }
    }
    location->is_boxed = false;
}

/* Whether the word at AT may begin a deque's iterator. */
static bool is_iterator(uintptr_t at, int32_t *chunk)
{
    uintptr_t words[4];

    if (!own_memory_read(at, words, sizeof(words)) || words[0] < words[1] || words[0] >= words[2] ||
        words[2] - words[1] > NODE_HIGHEST * 8 || (words[2] - words[1]) % 8 != 0)
        return false;
    *chunk = (int32_t)(words[2] - words[1]);
    return list_word_read(words[3], &words[3]) && words[3] == words[1];
}

/* PATH leads to a word that may begin the list. */
static void list_path_try(struct search *search, const struct layout_path *path, uintptr_t at)
{
    uintptr_t first;

    if (!list_word_read(at, &first) || first < 4096)
        return;
    memset(&search->location, 0, sizeof(search->location));
    search->location.first = *path;
    search->location.end = *path;
    for (int newest = 0; newest < 2; newest++) {
        search->location.is_newest_first = newest != 0;
        try_linked(search, first);
        search->location.shape = layout_range;
        try_row(search, first);
        if (!is_iterator(at, &search->location.chunk))
            continue;
        search->location.shape = layout_deque;
        try_row(search, first);
    }
}

/* Whether two elements have the same key: then one location does not determine others. */
static bool has_twins(const struct truth_list *truth, unsigned key)
{
    for (unsigned i = 0; i < truth->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (truth->elements[i][key] == truth->elements[j][key])
                return true;
    return false;
}

static const struct specimen *choose_example(const struct population *population,
                                             enum specimen_kind kind, enum specimen_list list)
{
    const struct specimen *example = NULL;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        const struct truth_list *truth = &specimen->lists[list];

        if (specimen->kind == kind && truth->is_known && truth->count >= EXAMPLE_LEAST &&
            truth->count <= EXAMPLE_MOST && !has_twins(truth, list_infos[list].key) &&
            (example == NULL || truth->count > example->lists[list].count))
            example = specimen;
    }
    return example;
}

/* Try paths with one or two offsets. */
static void search_paths(struct search *search, unsigned offsets)
{
    const struct specimen *example = search->example;
    struct layout_path path = {.count = (uint8_t)offsets};

    for (int32_t at = example->extent.lowest; at + WORD <= example->extent.highest; at += WORD) {
        uintptr_t pointer;
        struct extent extent;

        path.offsets[0] = at;
        if (offsets == 1) {
            list_path_try(search, &path, example->handle + (intptr_t)at);
            continue;
        }
        if (!list_word_read(example->handle + (intptr_t)at, &pointer) || pointer < 4096)
            continue;
        extent = extent_of(pointer);
        for (int32_t to = extent.lowest; extent.is_block && to < extent.highest; to += WORD) {
            path.offsets[1] = to;
            list_path_try(search, &path, pointer + (intptr_t)to);
        }
    }
}

void search_list_filter(const struct population *population, enum specimen_kind kind,
                        enum specimen_list list, struct list_candidates *found)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        unsigned kept = 0;

        if (specimen->kind != kind || !specimen->lists[list].is_known)
            continue;
        for (unsigned j = 0; j < found->count; j++)
            if (list_fits(&found->locations[j], specimen, list))
                found->locations[kept++] = found->locations[j];
        found->count = kept;
    }
}

void search_list(const struct population *population, enum specimen_kind kind,
                 enum specimen_list list, struct list_candidates *found)
{
    struct search search = {
        .example = choose_example(population, kind, list),
        .list = list,
        .key = list_infos[list].key,
        .found = found,
    };

    memset(found, 0, sizeof(*found));
    if (search.example == NULL)
        return;
    search.truth = &search.example->lists[list];
    for (unsigned offsets = 1; offsets <= 2 && found->count == 0; offsets++) {
        search_paths(&search, offsets);
        search_list_filter(population, kind, list, found);
    }
    if (found->count == 0)
        search_tree(population, kind, list, found);
    if (found->count == 0)
        search_binary_tree(population, kind, list, found);
}
