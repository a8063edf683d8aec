/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The registry's tables: where records lie, and which slots are in use.
 *
 * Records lie in chunks of RECORDER_RECORDS_PER_CHUNK, chunks in regions of up to a MiB, which are
 * mapped as they are needed.  A chunk belongs to one heap for ever (see heap.h); the thread that
 * has the heap takes, gives back and counts with plain stores, any other thread gives back to the
 * chunk's remote list.  So the usual creation and release of an object cost no atomic operation
 * here.
 */
#ifndef RECORDER_TABLES_H
#define RECORDER_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

#define RECORDER_RECORDS_PER_CHUNK 512u
#define RECORDER_NO_SLOT UINT32_MAX
#define RECORDER_NO_HEAP UINT32_MAX /* of a chunk that is filled under the growth lock */
#define RECORDER_TABLE_LIMIT (OMPD_CL_REGISTRY_TABLE_COUNT + 1) /* tables are numbered from 1 */

#define RECORDER_INLINE static inline __attribute__((always_inline))
#define RECORDER_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RECORDER_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* struct ompd_cl_registry_chunk with the recorder's own words named.  Lists within a chunk are of
 * places plus 1, lists of chunks are of chunk numbers plus 1; 0 ends both. */
struct recorder_chunk {
    uint64_t address;
    uint32_t used;
    uint32_t local_live;
    uint32_t remote_live;
    uint32_t local_changes;
    uint32_t remote_changes;
    uint32_t heap;           /* number of the heap that it belongs to; never changes */
    uint32_t local_free;     /* slots given back by the owner */
    uint32_t remote_free;    /* slots given back by others */
    uint32_t next_available; /* next chunk of the heap with slots to hand out */
    uint32_t next_pending;   /* next chunk whose remote list is not empty */
    uint32_t is_available;   /* it is its heap's current chunk, or in the list of available ones */
    uint32_t reserved[3];
};
_Static_assert(sizeof(struct recorder_chunk) == sizeof(struct ompd_cl_registry_chunk),
               "a chunk descriptor has the size that the format gives it");

struct recorder_table {
    struct recorder_chunk *directory;
    uint32_t record_size;       /* see recorder_record_size */
    uint32_t link_offset;       /* of the word that links free slots */
    uint32_t generation_offset; /* of the generation; 0 where records have none */
    uint32_t state_offset;      /* of the byte that is 0 in free records */
    uint32_t chunk_limit;       /* chunks that the directory has room for */
    uint32_t chunk_count;
    char *region_rest; /* what is left of the newest region, for further chunks */
    size_t region_rest_size;
};

extern struct recorder_table recorder_tables[RECORDER_TABLE_LIMIT];

struct recorder_heap;

/* Make the tables, without records.  Returns false when there is no memory. */
bool recorder_tables_prepare(uint32_t stack_depth);

/* Make a new chunk of TABLE for the heap numbered HEAP and return its number, or RECORDER_NO_SLOT.
 * The growth lock is held. */
uint32_t recorder_chunk_make(uint32_t table, uint32_t heap);

/* What recorder_slot_take does when the heap's current chunk has nothing to take. */
uint32_t recorder_slot_take_slowly(struct recorder_heap *heap, uint32_t table);

/* What recorder_slot_give_back does with a slot of another heap, or of a chunk that was full. */
void recorder_slot_give_back_slowly(struct recorder_heap *heap, uint32_t table, uint32_t index);

/* Make the child of a fork() whole again: recount live records, find chunks with remote lists. */
void recorder_tables_repair(void);

/* Map BYTES of zeroed memory; NULL when there is none. */
void *recorder_memory_map(size_t bytes);

/* Bytes of a record of TABLE.  Where the table is known to the compiler, so is this; that of a call
 * stack follows the depth. */
RECORDER_INLINE size_t recorder_record_size(uint32_t table)
{
    if (!__builtin_constant_p(table)) {
        return recorder_tables[table].record_size;
    }
    switch (table) {
    case ompd_cl_registry_context:
        return sizeof(struct ompd_cl_registry_context_record);
    case ompd_cl_registry_memobj:
        return sizeof(struct ompd_cl_registry_memobj_record);
    case ompd_cl_registry_callback:
        return sizeof(struct ompd_cl_registry_callback_record);
    case ompd_cl_registry_gone:
        return sizeof(struct ompd_cl_registry_gone_record);
    default:
        return recorder_tables[table].record_size;
    }
}

RECORDER_INLINE struct recorder_chunk *recorder_chunk_of(uint32_t table, uint32_t index)
{
    return &recorder_tables[table].directory[index / RECORDER_RECORDS_PER_CHUNK];
}

/* The record at INDEX of a table whose chunk is known. */
RECORDER_INLINE void *recorder_record_in(const struct recorder_chunk *chunk, uint32_t table,
                                         uint32_t index)
{
    return (char *)(uintptr_t)chunk->address +
           (index % RECORDER_RECORDS_PER_CHUNK) * recorder_record_size(table);
}

RECORDER_INLINE void *recorder_record(uint32_t table, uint32_t index)
{
    return recorder_record_in(recorder_chunk_of(table, index), table, index);
}

/* Where records of TABLE keep their generation; 0 when they have none. */
RECORDER_INLINE size_t recorder_generation_offset(uint32_t table)
{
    if (__builtin_constant_p(table) && table == ompd_cl_registry_callback) {
        return offsetof(struct ompd_cl_registry_callback_record, generation);
    }
    return recorder_tables[table].generation_offset;
}

/* The word that links a free slot to the next one: one that no other thread looks at. */
RECORDER_INLINE uint32_t *recorder_slot_link(uint32_t table, void *record)
{
    size_t offset = recorder_tables[table].link_offset;
    if (__builtin_constant_p(table) && table == ompd_cl_registry_callback) {
        offset = offsetof(struct ompd_cl_registry_callback_record, lwp);
    } else if (__builtin_constant_p(table) && table <= ompd_cl_registry_svm_free) {
        offset = offsetof(struct ompd_cl_registry_object, lwp);
    }
    return (uint32_t *)(void *)((char *)record + offset);
}

#endif
