/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stretches of memory, sorted. */
#ifndef LIBOMPD_EXTENTS_H
#define LIBOMPD_EXTENTS_H

#include "base/memory.h"

#include <stdbool.h>

struct extent {
    uint64_t within; /* cl handle of the buffer that it is part of; 0: the target's addresses */
    uint64_t start;  /* [start, end) */
    uint64_t end;
    uint64_t id;  /* of the object */
    bool is_read; /* what that means is its user's */
};

/* Begin with {0}. */
struct extents {
    struct extent *all;
    uint32_t count;
    uint32_t capacity;
};

/* Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t extents_add(struct extents *extents, struct memory *memory, struct extent extent);

void extents_free(struct extents *extents, struct memory *memory);

/* By `within`, then by `start`. */
void extents_sort(struct extents *extents);

/* The one of EXTENTS, which are in order and do not overlap, that ADDRESS lies in; NULL: none. */
const struct extent *extents_find(const struct extents *extents, uint64_t address);

#endif
