/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An arena of glibc's malloc (struct malloc_state): the small blocks of it that wait in its fast
 * bins, which their chunks do not tell.
 */
#ifndef LIBOMPD_HEAP_ARENA_H
#define LIBOMPD_HEAP_ARENA_H

#include "findings/extents.h"
#include "target/target.h"

/* Begin with {0}. */
struct heap_arena {
    struct extents blocks; /* in order: what the program had, a byte each */
    bool is_whole;         /* there are no other blocks */
};

/* Larger chunks are in no fast bin. */
uint64_t heap_arena_largest(const struct target *target);

/* Have the blocks of the arena that begins at STATE; or where that is 0, of the main one, whose
 * heap ends with the chunk at LAST.  Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t heap_arena_take(struct heap_arena *arena, struct target *target, uint64_t state,
                          uint64_t last);

#endif
