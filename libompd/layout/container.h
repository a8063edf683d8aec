/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists in a runtime's memory, of the shapes that layouts know: each is walked within bounds (law
 * 6), whatever the target's memory says. */
#ifndef LIBOMPD_CONTAINER_H
#define LIBOMPD_CONTAINER_H

#include "layout/layout.h"
#include "target/target.h"

/* No object has more elements in a list of it: law 6. */
#define CONTAINER_LIMIT (UINT64_C(1) << 20)

/* No B-tree of so many elements is higher: each node but the root has several. */
#define CONTAINER_HEIGHT 16

/* Nor has a balanced binary tree, a red-black one say, a longer path from its root to a leaf. */
#define CONTAINER_DEPTH 42

/* An element: an object of its own, or one of several that a tree's node has side by side. */
struct container_element {
    uint64_t address; /* 0: there are no more */
    uint64_t index;   /* in the node that is at the address */
};

/* A list being walked. */
struct container {
    const struct layout_list_location *location;
    uint64_t object;    /* cl handle of its owner */
    uint64_t count;     /* elements, with those that a condition leaves out */
    uint64_t passed;    /* elements so far, */
    uint64_t lost;      /* of which so many could not be had */
    uint64_t start;     /* linked: first node; arrays: where they begin; deque: number of its first
                           element in the first chunk */
    uint64_t next_node; /* linked: next node */
    uint64_t chunk_map; /* deque: where the pointer to the first chunk is */
    /* Tree: the node on each level that the walk is in, and its next element.  Binary tree: the
     * nodes that come next with all that is to their right, the nearest one last. */
    struct container_element path[CONTAINER_DEPTH];
    uint32_t height; /* tree: of the leaves' level, which is 0, to that of the root */
    uint32_t level;  /* tree: where the walk is; binary tree: how many nodes come next */
    uint64_t key;    /* binary tree: of the last element */
};

/*
 * Begin to walk the list of OBJECT that LOCATION describes; it is empty when a pointer on the way
 * to it is 0.  Returns ompd_rc_ok; ompd_rc_incomplete when memory could not be read (`failure` of
 * TARGET says why) or makes no sense (`failure` is ompd_cl_status_corrupt): then there are no
 * elements; ompd_rc_nomem.
 */
ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_location *location, uint64_t object);

/*
 * Give the next element: callbacks in call order, newest first, others as they stand in the list.
 * The address of *ELEMENT gets 0 at the end.  Returns as container_begin; after ompd_rc_incomplete
 * the walk goes on behind what was lost.
 */
ompd_rc_t container_next(struct container *container, struct target *target,
                         struct container_element *element);

/* Set *COUNT to how many elements a walk from the beginning on gives.  Returns as container_begin.
 */
ompd_rc_t container_count(const struct container *container, struct target *target,
                          uint64_t *count);

/* Read the number of WIDTH bytes at ADDRESS plus OFFSET, or the word that PATH leads to from
 * ADDRESS on.  Return as location_read. */
ompd_rc_t container_number(struct target *target, uint64_t address, int64_t offset, unsigned width,
                           uint64_t *number);
ompd_rc_t container_path(struct target *target, const struct layout_path *path, uint64_t address,
                         uint64_t *word);

/* Set the failure to ompd_cl_status_corrupt. Returns ompd_rc_incomplete. */
ompd_rc_t container_refuse(struct target *target);

/* Read the value at LOCATION of ELEMENT.  Returns as location_read. */
ompd_rc_t element_read(struct target *target, const struct layout_location *location,
                       const struct container_element *element, uint64_t *value);

/* Read the value at LOCATION of the object at ADDRESS.  Returns as container_begin, and
 * ompd_rc_unavailable when a pointer on the way is 0: the object has no such thing now. */
ompd_rc_t location_read(struct target *target, const struct layout_location *location,
                        uint64_t address, uint64_t *value);

/* Tell the value at LOCATION, which is stored as NUMBER: pointers but 0 are adjusted. */
static inline uint64_t location_adjust(const struct target *target,
                                       const struct layout_location *location, uint64_t number)
{
    if (number == 0 || location->adjust == 0)
        return number;
    number += (uint64_t)(int64_t)location->adjust;
    return target->pointer_size == 8 ? number : (uint32_t)number;
}

#endif
