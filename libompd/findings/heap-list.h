/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One of the lists in which glibc's malloc keeps free blocks of a size, to give them out again as
 * they are. */
#ifndef LIBOMPD_HEAP_LIST_H
#define LIBOMPD_HEAP_LIST_H

#include "findings/extents.h"
#include "target/target.h"

/* Bits of a chunk's size word (glibc, malloc/malloc.c, struct malloc_chunk). */
#define CHUNK_BEFORE_IS_USED 1
#define CHUNK_IS_MAPPED 2
#define CHUNK_IS_OF_ARENA 4
#define CHUNK_FLAGS 7

struct heap_list {
    uint64_t first;     /* what it begins with; 0: it is empty */
    uint64_t to_block;  /* from where its links lead to, to what the program had of a chunk */
    uint64_t least;     /* bytes of its chunks, of their headers too: */
    uint64_t most;      /* where these differ, all have as many as the first */
    bool is_of_a_range; /* unless they are of any size between */
    uint64_t limit;     /* it has no more blocks than this: law 6 */
};

/* Add the blocks of LIST, a byte each, to BLOCKS.  Returns ompd_rc_ok; ompd_rc_unavailable when it
 * is no such list, and *BLOCKS as it was; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t heap_list_take(struct target *target, const struct heap_list *list,
                         struct extents *blocks);

#endif
