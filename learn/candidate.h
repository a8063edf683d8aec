/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates for the location of a value and the shape of a list, and reading by them, as the
 * library does by a layout. */
#ifndef OMPD_LEARN_CANDIDATE_H
#define OMPD_LEARN_CANDIDATE_H

#include <learn/subject.h>
#include <libompd/sources/layout/layout.h>

/* The word that the path leads to is 0 where the value is known; elsewhere it is not. */
struct known_when {
    struct layout_path path; /* no offsets: it is always known */
};

struct location {
    struct layout_path path;
    uint8_t width;  /* 0: the address itself */
    int32_t adjust; /* added to a stored pointer that is not 0 */
    int32_t every;  /* tree: bytes from one element of a node to the next */
    struct layout_condition when;
    struct known_when known;
};

struct list_location {
    enum layout_shape shape;
    struct layout_path first;  /* deque: its first iterator; trees: root */
    struct layout_path end;    /* range: end; array, trees: count; deque: its last iterator */
    struct layout_path height; /* tree: levels above the leaves */
    int32_t used;              /* tree: how many elements a node has, 2 bytes */
    int32_t children;          /* tree: the pointers to the nodes below */
    int32_t left;              /* binary tree: the pointers to the nodes of lesser keys, */
    int32_t right;             /* and of greater ones */
    int32_t next;              /* linked */
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
bool path_follow(const struct layout_path *path, uintptr_t address, uintptr_t *at);

/* Read the value at LOCATION. */
bool location_value(const struct location *location, uintptr_t address, uint64_t *value);

/* Whether the object at ADDRESS is one of those that tell the value at LOCATION. */
bool location_is_known(const struct location *location, uintptr_t address);

/* Whether an object of SUBJECT's bounds has WIDTH bytes at the first offset of PATH. */
bool path_is_within(const struct layout_path *path, unsigned width, const struct extent *extent);

/* Whether what LOCATION gives for SUBJECT is the FACT that it knows. */
bool location_fits(const struct location *location, const struct subject *subject, enum fact fact);

/* Read the values of the elements of LIST, of the object with HANDLE, where LOCATION says, at most
 * LIST_ELEMENTS of them: in the order in which they are stored, those of trees by their keys. Where
 * an element's value has no location yet it is 0.  False: it is no such list. */
bool list_read(const struct list_location *location, uintptr_t handle, enum subject_list list,
               struct truth_list *read);

/* Read the word that PATH leads to from within SUBJECT. */
bool path_read(const struct layout_path *path, const struct subject *subject, uint64_t *word);

/* Whether the list at LOCATION of SUBJECT is the one that it knows. */
bool list_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list);

#endif
