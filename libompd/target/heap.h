/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* glibc's heap: which blocks are there, and which of them are free. */
#ifndef LIBOMPD_HEAP_H
#define LIBOMPD_HEAP_H

#include "target/target.h"

#include <stdbool.h>

/* ---- extents --------------------------------------------------------------------------------- */

/* Stretches of memory, sorted. */

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

/* The index of the first of EXTENTS, in order, whose `start`, or `within`, is so much or more;
 * their count: there is none.  By `start` where all have the same `within`. */
uint64_t extents_first(const struct extents *extents, uint64_t start);
uint64_t extents_first_within(const struct extents *extents, uint64_t within);

/* The one of EXTENTS, which are in order and do not overlap, that ADDRESS lies in; NULL: none. */
const struct extent *extents_find(const struct extents *extents, uint64_t address);

/* ---- heap-arena ------------------------------------------------------------------------------ */

/*
 * An arena of glibc's malloc (struct malloc_state): the small blocks of it that wait in its fast
 * bins, which their chunks do not tell.
 */

/* Begin with {0}. */
struct heap_arena {
    struct extents blocks; /* in order: what the program had, a byte each */
    bool is_whole;         /* there are no other blocks */
};

/* Larger chunks are in no fast bin. */
uint64_t heap_arena_largest(const struct target *target);

/* Have the blocks of the arena that begins at STATE; or where that is 0, of the main one, whose
 * heap ends with the chunk at LAST.  Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t heap_arena_read(struct heap_arena *arena, struct target *target, uint64_t state,
                          uint64_t last);

/* Bits of a chunk's size word (glibc, malloc/malloc.c, struct malloc_chunk). */
#define CHUNK_BEFORE_IS_USED 1
#define CHUNK_IS_MAPPED 2
#define CHUNK_IS_OF_ARENA 4
#define CHUNK_FLAGS 7

/* One of the lists in which glibc's malloc keeps free blocks of a size, to give them out again as
 * they are. */
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
ompd_rc_t heap_list_read(struct target *target, const struct heap_list *list,
                         struct extents *blocks);

/* ---- heap-caches ----------------------------------------------------------------------------- */

/*
 * The blocks that each thread keeps for itself, to have them from glibc's malloc again: struct
 * tcache_perthread_struct, which a variable of the thread leads to.  What lies in a block does not
 * tell that it is one of them: where it was given out again it is left over.
 */

/* Begin with {0}. */
struct heap_caches {
    struct extents blocks; /* in order: what the program had, a byte each */
    bool is_looked;        /* the threads were looked at */
    bool is_known;         /* where the variables of one are is known */
    bool is_there;         /* one of them has got memory from glibc's malloc */
    bool is_whole;         /* there are no other blocks */
};

/* Have the caches of all threads, once.  Returns ompd_rc_ok, ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t heap_caches_read(struct heap_caches *caches, struct target *target);

/* Where the threads' caches are not to be had whole: have that in the block at ADDRESS, if it is
 * one.  Returns likewise. */
ompd_rc_t heap_caches_try_block(struct heap_caches *caches, struct target *target,
                                uint64_t address);

/* ---- heap-chunks ----------------------------------------------------------------------------- */

/*
 * The heaps of glibc's malloc, chunk by chunk from their start to their end.  What is told of a
 * chunk is proved by all others: their sizes lead from one to the next and end where the heap does;
 * and that one waits to be given out again as it is, by the list that it is in.
 */

/* The heap that was looked at last.  Begin with {0}, end with heap_chunks_free. */
struct heap_chunks {
    uint64_t start; /* of the memory without a gap that it was looked for in, and */
    uint64_t end;
    uint64_t first; /* its first chunk; 0: there is no heap */
    uint64_t top;   /* the end of its last, `last` */
    uint64_t last;  /* which was never given out, unless it has a heap behind it (has_next) */
    uint64_t at;    /* a chunk that was found last, or `first` */
    uint64_t state; /* its arena; 0: the main one */
    bool has_next;  /* its arena has gone on in another heap */
    bool is_broken; /* it should be a heap, but its chunks do not lead to its end */
    bool has_arena; /* `arena` is that of this heap */
    bool is_lost;   /* memory could not be read: what was not found may be there */
    struct heap_caches caches; /* of all heaps */
    struct heap_arena arena;
};

enum heap_use {
    heap_unknown, /* not of such a heap */
    heap_is_used,
    heap_is_freed,
    heap_is_cached,    /* freed: it is in a list of those to be given out again as they are */
    heap_may_be_cached /* such a list may have it, but not all lists are known */
};

struct heap_chunk {
    enum heap_use use;
    uint64_t size; /* bytes, of its header too */
};

/* Tell of the chunk that ADDRESS lies in.  Cheapest for rising addresses. */
struct heap_chunk heap_chunks_find(struct heap_chunks *chunks, struct target *target,
                                   uint64_t address);

void heap_chunks_free(struct heap_chunks *chunks, struct memory *memory);

/* ---- other-allocator ------------------------------------------------------------------------- */

/* Allocators beside glibc's malloc: which blocks they have freed is not known. */

/* The name of the one that TARGET has; NULL: none that is known. */
const char *other_allocator_find(struct target *target);

#endif
