/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a B-tree has the elements that a list is known to have: by their keys, in order. */
#include <learn/container.h>

#include <learn/own-memory.h>
#include <stdlib.h>

#define WORD ((unsigned)sizeof(uintptr_t))
#define USED_WIDTH 2
#define HEIGHT_MOST 3 /* of a tree of LIST_ELEMENTS */

struct walk {
    const struct list_location *location;
    const struct truth_list *truth;
    unsigned order[LIST_ELEMENTS]; /* of the elements, by keys */
    unsigned passed;
    bool has_second;
};

static const struct truth_list *sorted;
static unsigned sorted_key;

static int compare(const void *one, const void *other)
{
    uintptr_t first = sorted->elements[*(const unsigned *)one][sorted_key];
    uintptr_t second = sorted->elements[*(const unsigned *)other][sorted_key];

    return (first > second) - (first < second);
}

void tree_order(const struct truth_list *truth, unsigned key, unsigned *order)
{
    for (unsigned i = 0; i < truth->count; i++)
        order[i] = i;
    sorted = truth;
    sorted_key = key;
    qsort(order, truth->count, sizeof(order[0]), compare);
}

/* Whether element number INDEX of NODE is the next one. */
static bool is_next(struct walk *walk, uintptr_t node, unsigned index)
{
    if (walk->passed == walk->truth->count)
        return false;
    for (unsigned i = 0; i < 1U + walk->has_second; i++) {
        const struct location *location = &walk->location->elements[i];
        uint64_t value;

        if (!location_read(location, node + (uintptr_t)index * (uintptr_t)location->every,
                           &value) ||
            value != walk->truth->elements[walk->order[walk->passed]][i])
            return false;
    }
    walk->passed++;
    return true;
}

static bool walk_node(struct walk *walk, uintptr_t node, uint64_t level)
{
    uint64_t used;

    if (node == 0 || !own_memory_number(node + (intptr_t)walk->location->used, USED_WIDTH, &used) ||
        used == 0 || used > LIST_ELEMENTS)
        return false;
    for (unsigned i = 0; i <= used; i++) {
        uint64_t child;

        if (level != 0 && (!own_memory_number(node + (intptr_t)walk->location->children + i * WORD,
                                              WORD, &child) ||
                           !walk_node(walk, (uintptr_t)child, level - 1)))
            return false;
        if (i < used && !is_next(walk, node, i))
            return false;
    }
    return true;
}

bool tree_read_path(const struct path *path, const struct subject *subject, uint64_t *word)
{
    uintptr_t at;

    return path_is_within(path, WORD, &subject->extent) &&
           path_follow(path, subject->handle, &at) && own_memory_number(at, WORD, word);
}

bool tree_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list)
{
    struct walk walk = {.location = location, .truth = &subject->lists[list]};
    uint64_t height;
    uint64_t count;
    uint64_t root;

    if (!tree_read_path(&location->end, subject, &count) || count != walk.truth->count)
        return false;
    if (count == 0)
        return true;
    if (!tree_read_path(&location->first, subject, &root) ||
        !tree_read_path(&location->height, subject, &height) || height > HEIGHT_MOST)
        return false;
    walk.has_second = list_infos[list].elements[1] != NULL;
    tree_order(walk.truth, location->key, walk.order);
    return walk_node(&walk, (uintptr_t)root, height) && walk.passed == walk.truth->count;
}
