/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a binary tree has the elements that a list is known to have: by their keys, in order. */
#include <learn/container.h>

#include <learn/own-memory.h>

#define WORD ((unsigned)sizeof(uintptr_t))
#define DEPTH_MOST 12 /* of a red-black tree of LIST_ELEMENTS */

struct walk {
    const struct list_location *location;
    const struct truth_list *truth;
    unsigned order[LIST_ELEMENTS]; /* of the elements, by keys */
    unsigned passed;
    bool has_second;
};

/* Whether NODE is the next element. */
static bool is_next(struct walk *walk, uintptr_t node)
{
    if (walk->passed == walk->truth->count)
        return false;
    for (unsigned i = 0; i < 1U + walk->has_second; i++) {
        const struct location *location = &walk->location->elements[i];
        uint64_t value;

        /* The key may be all that is known yet. */
        if (location->path.count == 0)
            continue;
        if (!location_read(location, node, &value) ||
            value != walk->truth->elements[walk->order[walk->passed]][i])
            return false;
    }
    walk->passed++;
    return true;
}

static bool walk_below(struct walk *walk, uintptr_t node, unsigned depth)
{
    uint64_t left;
    uint64_t right;

    if (node == 0)
        return true;
    return depth < DEPTH_MOST &&
           own_memory_number(node + (intptr_t)walk->location->left, WORD, &left) &&
           own_memory_number(node + (intptr_t)walk->location->right, WORD, &right) &&
           walk_below(walk, (uintptr_t)left, depth + 1) && is_next(walk, node) &&
           walk_below(walk, (uintptr_t)right, depth + 1);
}

bool binary_tree_fits(const struct list_location *location, const struct subject *subject,
                      enum subject_list list)
{
    struct walk walk = {.location = location, .truth = &subject->lists[list]};
    uint64_t count;
    uint64_t root;

    if (!tree_read_path(&location->end, subject, &count) || count != walk.truth->count)
        return false;
    if (count == 0)
        return true;
    if (!tree_read_path(&location->first, subject, &root))
        return false;
    walk.has_second = list_infos[list].elements[1] != NULL;
    tree_order(walk.truth, location->key, walk.order);
    return walk_below(&walk, (uintptr_t)root, 0) && walk.passed == walk.truth->count;
}
