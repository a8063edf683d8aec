/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The heap of glibc's malloc: which blocks exist, and which of them are free. */
#ifndef LIBOMPD_HEAP_H
#define LIBOMPD_HEAP_H

#include "target/target.h"

#include <stdbool.h>

/* ---- extents --------------------------------------------------------------------------------- */

/* Sorted ranges of memory. */

struct extent {
    uint64_t within; /* cl handle of the buffer that contains it; 0: an address of the target */
    uint64_t start;  /* [start, end) */
    uint64_t end;
    uint64_t id;  /* of the object */
    bool is_read; /* its meaning is up to the user */
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

/* The index of the first of the sorted EXTENTS with a `start`, or a `within`, of at least the given
 * value; their count if there is none. By `start` all must have the same `within`. */
uint64_t extents_first(const struct extents *extents, uint64_t start);
uint64_t extents_first_within(const struct extents *extents, uint64_t within);

/* The one of the sorted, disjoint EXTENTS that contains ADDRESS; NULL if there is none. */
const struct extent *extents_find(const struct extents *extents, uint64_t address);

/* ---- heap-arena ------------------------------------------------------------------------------ */

/*
 * An arena of glibc's malloc (struct malloc_state): the small blocks in its fast bins. Their chunks
 * do not show that they are free.
 */

/* Begin with {0}. */
struct heap_arena {
    struct extents blocks; /* sorted: the program's part of each chunk, as one byte */
    bool is_whole;         /* there are no other blocks */
};

/* Larger chunks are in no fast bin. */
uint64_t heap_arena_largest(const struct target *target);

/* Read the blocks of the arena at STATE. If STATE is 0, it is the main arena, whose heap ends with
 * the chunk at LAST. Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t heap_arena_read(struct heap_arena *arena, struct target *target, uint64_t state,
                          uint64_t last);

/* Bits of a chunk's size word (glibc, malloc/malloc.c, struct malloc_chunk). */
#define CHUNK_BEFORE_IS_USED 1
#define CHUNK_IS_MAPPED 2
#define CHUNK_IS_OF_ARENA 4
#define CHUNK_FLAGS 7

/* A list in which glibc's malloc keeps free blocks of one size for reuse. */
struct heap_list {
    uint64_t first;     /* its first link; 0: the list is empty */
    uint64_t to_block;  /* distance from where links point to the program's part of a chunk */
    uint64_t least;     /* smallest size of its chunks in bytes, with their headers, */
    uint64_t most;      /* and largest; if these differ, all have the size of the first */
    bool is_of_a_range; /* unless any sizes in between are allowed */
    uint64_t limit;     /* it has no more blocks than this: law 6 */
};

/* Add the blocks of LIST, as one byte each, to BLOCKS. Returns ompd_rc_ok; ompd_rc_unavailable when
 * it is not such a list, with *BLOCKS unchanged; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t heap_list_read(struct target *target, const struct heap_list *list,
                         struct extents *blocks);

/* ---- heap-caches ----------------------------------------------------------------------------- */

/*
 * The blocks that each thread caches for its next allocations: struct tcache_perthread_struct,
 * which a thread-local variable points to. The contents of a block do not show that it is cached,
 * because they stay when it is allocated again.
 */

/* Begin with {0}. */
struct heap_caches {
    struct extents blocks; /* sorted: the program's part of each chunk, as one byte */
    bool is_looked;        /* the threads were searched */
    bool is_known;         /* the place of the thread-local variable is known */
    bool is_there;         /* some thread has allocated from glibc's malloc */
    bool is_whole;         /* there are no other cached blocks */
};

/* Read the caches of all threads, once. Returns ompd_rc_ok, ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t heap_caches_read(struct heap_caches *caches, struct target *target);

/* If some threads' caches were not found, read the cache in the block at ADDRESS, if it is one.
 * Returns the same codes. */
ompd_rc_t heap_caches_try_block(struct heap_caches *caches, struct target *target,
                                uint64_t address);

/* ---- heap-chunks ----------------------------------------------------------------------------- */

/*
 * The heaps of glibc's malloc, chunk by chunk from start to end. The chunks prove each other: their
 * sizes lead from one to the next and end where the heap ends. A list of free blocks proves that a
 * block is cached.
 */

/* The heap that was read last. Begin with {0}, end with heap_chunks_free. */
struct heap_chunks {
    uint64_t start; /* of the contiguous memory that was searched for a heap */
    uint64_t end;
    uint64_t first;            /* its first chunk; 0: no heap was found */
    uint64_t top;              /* the end of its last chunk, `last` */
    uint64_t last;             /* never allocated, unless another heap follows (has_next) */
    uint64_t at;               /* the last chunk that was found, or `first` */
    uint64_t state;            /* its arena; 0: the main arena */
    bool has_next;             /* its arena continues in another heap */
    bool is_broken;            /* it looks like a heap, but its chunks do not lead to its end */
    bool has_arena;            /* `arena` is that of this heap */
    bool is_lost;              /* memory could not be read: a heap may have been missed */
    struct heap_caches caches; /* of all heaps */
    struct heap_arena arena;
};

enum heap_use {
    heap_unknown, /* not in such a heap */
    heap_is_used,
    heap_is_freed,
    heap_is_cached,    /* free, in a list of blocks for reuse */
    heap_may_be_cached /* possibly in such a list: not all lists are known */
};

struct heap_chunk {
    enum heap_use use;
    uint64_t size; /* bytes, with its header */
};

/* Return the chunk around ADDRESS. Fastest for ascending addresses. */
struct heap_chunk heap_chunks_find(struct heap_chunks *chunks, struct target *target,
                                   uint64_t address);

void heap_chunks_free(struct heap_chunks *chunks, struct memory *memory);

/* ---- other-allocator ------------------------------------------------------------------------- */

/* Allocators other than glibc's malloc, whose free blocks are not known. */

/* The name of the allocator that TARGET uses; NULL if no known one. */
const char *other_allocator_find(struct target *target);

#endif
