/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The heaps of glibc's malloc, chunk by chunk from their start to their end.  What is told of a
 * chunk is proved by all others: their sizes lead from one to the next and end where the heap does.
 */
#ifndef LIBOMPD_HEAP_CHUNKS_H
#define LIBOMPD_HEAP_CHUNKS_H

#include "target/target.h"

/* The heap that was looked at last.  Begin with {0}. */
struct heap_chunks {
    uint64_t start; /* of the memory without a gap that it was looked for in, and */
    uint64_t end;
    uint64_t first; /* its first chunk; 0: there is no heap */
    uint64_t top;   /* the end of its last, which was never given out */
    uint64_t at;    /* a chunk that was found last, or `first` */
    bool is_lost;   /* memory could not be read: what was not found may be there */
};

enum heap_use {
    heap_unknown, /* not of such a heap */
    heap_is_used,
    heap_is_freed,
    heap_is_presumed_freed /* it waits to be given out again as it is */
};

struct heap_chunk {
    enum heap_use use;
    uint64_t size; /* bytes, of its header too */
};

/* Tell of the chunk that ADDRESS lies in.  Cheapest for rising addresses. */
struct heap_chunk heap_chunks_find(struct heap_chunks *chunks, struct target *target,
                                   uint64_t address);

#endif
