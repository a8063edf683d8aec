/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists in a runtime's memory, of the shapes that layouts know: each is walked within bounds (law
 * 6), whatever the target's memory says. */
#ifndef LIBOMPD_CONTAINER_H
#define LIBOMPD_CONTAINER_H

#include "layout.h"
#include "target.h"

/* No object has more elements in a list of it: law 6. */
#define CONTAINER_LIMIT (UINT64_C(1) << 20)

/* A list being walked. */
struct container {
    const struct layout_list_place *place;
    uint64_t object; /* cl handle of its owner */
    uint64_t count;  /* elements */
    uint64_t passed; /* elements so far, */
    uint64_t lost;   /* of which so many could not be had */
    uint64_t start;  /* linked: first node; arrays: where they begin; deque: place of its first
                        element in the first chunk */
    uint64_t at;     /* linked: next node */
    uint64_t map;    /* deque: where the pointer to the first chunk is */
};

/*
 * Begin to walk the list of OBJECT that PLACE describes; it is empty when a pointer on the way to
 * it is 0.  Returns ompd_rc_ok; ompd_rc_incomplete when memory could not be read (`failure` of
 * TARGET says why) or makes no sense (`failure` is ompd_cl_status_corrupt): then there are no
 * elements; ompd_rc_nomem.
 */
ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_place *place, uint64_t object);

/*
 * Give the address of the next element: callbacks in call order, newest first, others as they stand
 * in the list.  *ELEMENT gets 0 at the end.  Returns as container_begin; after ompd_rc_incomplete
 * the walk goes on behind what was lost.
 */
ompd_rc_t container_next(struct container *container, struct target *target, uint64_t *element);

/* Read the value at PLACE of the object or element at ADDRESS.  Returns as container_begin, and
 * ompd_rc_unavailable when a pointer on the way is 0: the object has no such thing now. */
ompd_rc_t place_read(struct target *target, const struct layout_place *place, uint64_t address,
                     uint64_t *value);

/* Tell the value at PLACE, which is stored as NUMBER: pointers but 0 are adjusted. */
static inline uint64_t place_adjust(const struct target *target, const struct layout_place *place,
                                    uint64_t number)
{
    if (number == 0 || place->adjust == 0)
        return number;
    number += (uint64_t)(int64_t)place->adjust;
    return target->pointer_size == 8 ? number : (uint32_t)number;
}

#endif
