/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trees in which made-svm-icd.c stores SVM allocations, rebuilt for each of them. */
#ifndef MADE_TREES_H
#define MADE_TREES_H

#include <stddef.h>
#include <stdint.h>

#define NODE_FULL 7 /* elements of a B-tree's node */

struct allocation {
    void *pointer;
    size_t size;
};

struct binary_node {
    int colour;
    struct binary_node *left;
    struct binary_node *right;
    void *pointer;
    uint64_t kind;
    size_t size;
};

struct b_node {
    void *pointers[NODE_FULL];
    struct {
        uint64_t kind;
        size_t size;
    } values[NODE_FULL];
    uint16_t used;
    struct b_node *children[NODE_FULL + 1];
};

/* Make a tree of ALL, COUNT allocations in the order of their pointers; NULL of none. */
struct binary_node *binary_tree_build(const struct allocation *all, size_t count);

/* Put what is in the tree, in order, into ALL from number COUNT on, and free it; gives how many
 * there are then. */
size_t binary_tree_take(struct binary_node *node, struct allocation *all, size_t count);

/* The same of B-trees, of HEIGHT levels above the leaves, and of how many so many levels are. */
struct b_node *b_tree_build(const struct allocation *all, size_t count, size_t height);
size_t b_tree_take(struct b_node *node, size_t height, struct allocation *all, size_t count);
size_t b_tree_height(size_t count);

#endif
