/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates for the location of a value and the shape of a list, and reading by them. */
#ifndef OMPD_LEARN_CONTAINER_H
#define OMPD_LEARN_CONTAINER_H

#include <learn/subject.h>

#define PATH_OFFSETS 3

/* All but the last offset are followed as pointers. */
struct path {
    int32_t offsets[PATH_OFFSETS];
    uint8_t count;
};

/* The unsigned number of WIDTH bytes at OFFSET is within [least, most]. */
struct rule {
    int32_t offset;
    uint8_t width;
    uint64_t least;
    uint64_t most;
};

/* The value is there when the rule holds or, with `is_except`, when it does not; else it is 0. */
struct condition {
    struct rule rule; /* width 0: it is always there */
    bool is_except;
};

/* The word that the path leads to is 0 where the value is known; elsewhere it is not. */
struct known_when {
    struct path path; /* no offsets: it is always known */
};

struct location {
    struct path path;
    uint8_t width;  /* 0: the address itself */
    int32_t adjust; /* added to a stored pointer that is not 0 */
    int32_t every;  /* tree: bytes from one element of a node to the next */
    struct condition when;
    struct known_when known;
};

enum list_shape {
    shape_linked,
    shape_range,
    shape_array,
    shape_deque,
    shape_tree,
    shape_binary_tree
};

struct list_location {
    enum list_shape shape;
    struct path first;  /* deque: its first iterator; trees: root */
    struct path end;    /* range: end; array, trees: count; deque: its last iterator */
    struct path height; /* tree: levels above the leaves */
    int32_t used;       /* tree: how many elements a node has, 2 bytes */
    int32_t children;   /* tree: the pointers to the nodes below */
    int32_t left;       /* binary tree: the pointers to the nodes of lesser keys, */
    int32_t right;      /* and of greater ones */
    int32_t next;       /* linked */
    int32_t stride;
    int32_t chunk;  /* deque: bytes */
    int32_t adjust; /* boxed: added to what the list holds */
    bool is_boxed;
    bool is_newest_first;
    bool is_sparse; /* linked: nodes whose key is 0 are no elements */
    uint8_t key;    /* which of the elements' values tells them apart */
    struct location elements[2];
};

/* Where a path leads from an object or element at ADDRESS; false: not anywhere. */
bool path_follow(const struct path *path, uintptr_t address, uintptr_t *at);

/* Read the value at LOCATION. */
bool location_read(const struct location *location, uintptr_t address, uint64_t *value);

/* Whether the object at ADDRESS is one of those that tell the value at LOCATION. */
bool location_is_known(const struct location *location, uintptr_t address);

/* Whether an object of SUBJECT's bounds has WIDTH bytes at the first offset of PATH. */
bool path_is_within(const struct path *path, unsigned width, const struct extent *extent);

/* Whether what LOCATION gives for SUBJECT is the FACT that it knows. */
bool location_fits(const struct location *location, const struct subject *subject, enum fact fact);

/* The addresses of the elements of a list as stored, at most LIST_ELEMENTS + 1; false: it is none.
 */
bool list_walk(const struct list_location *location, uintptr_t handle, uintptr_t *elements,
               unsigned *count);

/* Whether NUMBER keeps CONDITION. */
bool condition_holds(const struct condition *condition, uint64_t number);

/* Put the numbers of the elements of TRUTH in ORDER, by their values number KEY. */
void tree_order(const struct truth_list *truth, unsigned key, unsigned *order);

/* Read the word that PATH leads to from within SUBJECT. */
bool tree_read_path(const struct path *path, const struct subject *subject, uint64_t *word);

/* list_fits for trees. */
bool tree_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list);
bool binary_tree_fits(const struct list_location *location, const struct subject *subject,
                      enum subject_list list);

/* Whether the list at LOCATION of SUBJECT is the one that it knows. */
bool list_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list);

#endif
