/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory that objects were allocated in, where glibc's malloc did it. */
#ifndef LIBOMPD_MALLOC_CHUNK_H
#define LIBOMPD_MALLOC_CHUNK_H

#include "layout/layout.h"
#include "target/scan.h"

/* How far beyond the fields of an object most chunks end, in bytes. */
#define MALLOC_CHUNK_REACH 1024

struct malloc_chunk {
    uint32_t size; /* bytes; 0: none can be seen */
    bool is_free;  /* the allocator has taken it back */
    bool is_lost;  /* whether there is one cannot be read */
};

/*
 * Look at the chunk of the OBJECT at HIT.  That of a freed object shows when it has become one with
 * its neighbours; the allocator then writes a size over its end, where a count of references may
 * have been.  Of a chunk that waits to be given out again as it is, the start is overwritten.
 */
struct malloc_chunk malloc_chunk_look(struct target *target, const struct scan_hit *hit,
                                      const struct layout_object *object);

/*
 * Tell whether the object of LAYOUT at HANDLE, about which no chunk was seen, was in one of SIZE
 * bytes that is now part of a larger free one: at its end is written how far that reaches back.
 */
bool malloc_chunk_was_freed(struct target *target, uint64_t handle,
                            const struct layout_object *layout, uint32_t size);

/*
 * Tell whether the size before the object of LAYOUT at HANDLE, which could be that of its chunk, is
 * left of an earlier time: that chunk would not begin where the free one before it ends.
 */
bool malloc_chunk_is_left(struct target *target, uint64_t handle,
                          const struct layout_object *layout);

/* What is known of the memory that a word is in. */
enum malloc_chunk_finding {
    malloc_chunk_not_seen, /* no chunk of glibc's malloc has it */
    malloc_chunk_is_free,
    malloc_chunk_is_given /* to the program, unless malloc_chunk_is_used says otherwise */
};

/*
 * Find the chunk that has the word at HIT in it, of whatever object: *START is what the program
 * got; where no chunk is seen it is unchanged.
 */
enum malloc_chunk_finding malloc_chunk_find(struct target *target, const struct scan_hit *hit,
                                            uint64_t *start);

/*
 * Tell whether the object of LAYOUT at HANDLE, about which no chunk was seen, would begin in a
 * chunk and reach out of it: no allocation does.  *START is then what the program got of the chunk.
 */
bool malloc_chunk_is_crossed(struct target *target, uint64_t handle,
                             const struct layout_object *layout, uint64_t *start);

/* Tell whether ADDRESS lies in a free chunk, or in what the allocator has not given out yet. */
bool malloc_chunk_in_free(struct target *target, uint64_t address);

/*
 * Tell whether the chunk of START, which malloc_chunk_find gave, is one now, in use or waiting to
 * be given out again, and not what is left of one within a larger free one.
 */
bool malloc_chunk_is_there(struct target *target, uint64_t start);

/*
 * Tell whether the chunk of START, which malloc_chunk_find gave, is one now and in use: one that
 * waits to be given out again as it is begins with the address of the next such.
 */
bool malloc_chunk_is_used(struct target *target, uint64_t start);

/* Tell whether START, an address within a chunk, seems to have been what a program got, of a chunk
 * that is gone: its size is left before it. */
bool malloc_chunk_was_start(struct target *target, uint64_t start);

/* The bytes that the chunk of START has behind it; 0 when that cannot be read. */
uint64_t malloc_chunk_room(struct target *target, uint64_t start);

#endif
