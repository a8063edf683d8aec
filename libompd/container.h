/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists in a runtime's memory, of the shapes that layouts know: each is walked within bounds (law
 * 6), whatever the target's memory says. */
#ifndef LIBOMPD_CONTAINER_H
#define LIBOMPD_CONTAINER_H

#include "layout.h"
#include "target.h"

/* No object has more elements in a list of it: law 6. */
#define CONTAINER_LIMIT (UINT64_C(1) << 20)

/* A list being walked, from the first to be called to the last where order matters. */
struct container {
    const struct layout_list_place *place;
    uint64_t object; /* cl handle of its owner */
    uint64_t count;  /* elements; UINT64_MAX for a linked list, whose length is not kept */
    uint64_t passed; /* elements so far */
    uint64_t at;     /* address of the next element, linked: of its node */
    uint64_t mark;   /* linked: a node kept to notice a cycle */
    uint64_t start;  /* other shapes: where they begin, to walk them from either end */
    uint64_t map;    /* deque: its table of chunks */
};

/*
 * Begin to walk the list of OBJECT that PLACE describes.  Returns ompd_rc_ok; ompd_rc_incomplete
 * when memory could not be read (`failure` of TARGET says why) or makes no sense (`failure` is
 * ompd_cl_status_corrupt); ompd_rc_nomem.
 */
ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_place *place, uint64_t object);

/* Give the address of the next element, in call order where the list is of callbacks: newest
 * first.  *ELEMENT gets 0 at the end.  Returns as container_begin. */
ompd_rc_t container_next(struct container *container, struct target *target, uint64_t *element);

/* Read the value at PLACE of the object or element at ADDRESS.  Returns as container_begin. */
ompd_rc_t place_read(struct target *target, const struct layout_place *place, uint64_t address,
                     uint64_t *value);

#endif
