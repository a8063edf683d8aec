/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The heaps of glibc's malloc, chunk by chunk from their start to their end.  What is told of a
 * chunk is proved by all others: their sizes lead from one to the next and end where the heap does;
 * and that one waits to be given out again as it is, by the list that it is in.
 */
#ifndef LIBOMPD_HEAP_CHUNKS_H
#define LIBOMPD_HEAP_CHUNKS_H

#include "findings/heap-arena.h"
#include "findings/heap-caches.h"
#include "target/target.h"

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
    heap_is_kept,    /* freed: it is in a list of those to be given out again as they are */
    heap_may_be_kept /* such a list may have it, but not all lists are known */
};

struct heap_chunk {
    enum heap_use use;
    uint64_t size; /* bytes, of its header too */
};

/* Tell of the chunk that ADDRESS lies in.  Cheapest for rising addresses. */
struct heap_chunk heap_chunks_find(struct heap_chunks *chunks, struct target *target,
                                   uint64_t address);

void heap_chunks_free(struct heap_chunks *chunks, struct memory *memory);

#endif
