/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See made-trees.h. */
#include "made-trees.h"

#include <stdlib.h>

#define USED_ABOVE 2

size_t binary_tree_take(struct binary_node *node, struct allocation *all, size_t count)
{
    if (node == NULL)
        return count;
    count = binary_tree_take(node->left, all, count);
    all[count++] = (struct allocation){node->pointer, node->size};
    count = binary_tree_take(node->right, all, count);
    free(node);
    return count;
}

struct binary_node *binary_tree_build(const struct allocation *all, size_t count)
{
    struct binary_node *node = NULL;

    if (count != 0) {
        node = calloc(1, sizeof(*node));
        node->colour = 1;
        node->kind = 1;
        node->pointer = all[count / 2].pointer;
        node->size = all[count / 2].size;
        node->left = binary_tree_build(all, count / 2);
        node->right = binary_tree_build(all + count / 2 + 1, count - count / 2 - 1);
    }
    return node;
}

size_t b_tree_take(struct b_node *node, size_t level, struct allocation *all, size_t count)
{
    if (node == NULL)
        return count;
    for (size_t i = 0; i <= node->used; i++) {
        if (level != 0)
            count = b_tree_take(node->children[i], level - 1, all, count);
        if (i < node->used)
            all[count++] = (struct allocation){node->pointers[i], node->values[i].size};
    }
    free(node);
    return count;
}

/* How many elements a tree of HEIGHT levels above its leaves has at most: there each node has
 * USED_ABOVE. */
static size_t room_of(size_t height)
{
    return height == 0 ? NODE_FULL : USED_ABOVE + (USED_ABOVE + 1) * room_of(height - 1);
}

size_t b_tree_height(size_t count)
{
    size_t height = 0;

    while (count > room_of(height))
        height++;
    return height;
}

struct b_node *b_tree_build(const struct allocation *all, size_t count, size_t height)
{
    struct b_node *node = count != 0 ? calloc(1, sizeof(*node)) : NULL;

    if (node == NULL)
        return NULL;
    node->used = (uint16_t)(height == 0 ? count : USED_ABOVE);
    for (size_t i = 0; i < node->used; i++) {
        /* As many below each child as below those that follow. */
        size_t left = node->used - i;
        size_t below = height == 0 ? 0 : (count - left) / (left + 1);

        if (height != 0)
            node->children[i] = b_tree_build(all, below, height - 1);
        node->pointers[i] = all[below].pointer;
        node->values[i].kind = 1;
        node->values[i].size = all[below].size;
        all += below + 1;
        count -= below + 1;
    }
    if (height != 0)
        node->children[node->used] = b_tree_build(all, count, height - 1);
    return node;
}
