/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The heaps of glibc's malloc, chunk by chunk from start to end. */
#include "target/heap.h"

#include "target/scan.h"

/* The largest offset of the first chunk in an arena's first heap: behind struct heap_info and
 * struct malloc_state, whose sizes differ between versions. */
#define ARENA_REACH 4096

/* Pages in front of the main heap, of variables of the program, that it may share a mapping with.
 */
#define PAGE UINT64_C(4096)
#define PAGES_BEFORE 1024

/* A thread's cache is among the first blocks of the heap that it gets memory from first. */
#define BLOCKS_TRIED 16

/* A chunk: its size word, behind a word that belongs to the previous chunk. */
struct chunk {
    uint64_t size; /* without the flags */
    uint64_t flags;
};

/* Read a word of mapped memory. */
static bool read_heap_word(struct heap_chunks *chunks, struct target *target, uint64_t at,
                           uint64_t *word)
{
    if (target_word(target, at, word))
        return true;
    chunks->is_lost = true;
    return false;
}

static bool read_heap_chunk(struct heap_chunks *chunks, struct target *target, uint64_t at,
                            struct chunk *chunk)
{
    uint64_t word;

    if (!read_heap_word(chunks, target, at + target->pointer_size, &word))
        return false;
    chunk->flags = word & CHUNK_FLAGS;
    chunk->size = word & ~(uint64_t)CHUNK_FLAGS;
    return true;
}

/* Return whether CHUNK at AT can be one of a heap that ends at END. */
static bool can_be_chunk(const struct target *target, const struct chunk *chunk, uint64_t at,
                         uint64_t end)
{
    uint64_t unit = 2 * (uint64_t)target->pointer_size;

    return chunk->size >= 2 * unit && chunk->size % unit == 0 && chunk->size <= end - at &&
           (chunk->flags & CHUNK_IS_MAPPED) == 0;
}

/* Whether CHUNK at AT is one of the two that close a heap ending at END after its arena has
 * continued in another (glibc, malloc/malloc.c, sysmalloc): they consist of a header only. */
static bool chunk_closes_heap(struct heap_chunks *chunks, struct target *target,
                              const struct chunk *chunk, uint64_t at, uint64_t end)
{
    uint64_t header = 2 * (uint64_t)target->pointer_size;
    struct chunk next;

    return chunk->size == header && end - at == 2 * header &&
           read_heap_chunk(chunks, target, at + header, &next) && next.size == 0;
}

/* Return whether chunks lead from FIRST just to END; if so it is the heap. */
static bool leads_to(struct heap_chunks *chunks, struct target *target, uint64_t first,
                     uint64_t end)
{
    struct chunk chunk;
    uint64_t at = first;
    uint64_t last = first;
    bool has_next = false;

    while (at < end) {
        if (end - at < 4 * (uint64_t)target->pointer_size ||
            !read_heap_chunk(chunks, target, at, &chunk))
            return false;
        has_next = at != first && chunk_closes_heap(chunks, target, &chunk, at, end);
        if (has_next)
            break;
        /* Nothing before the first chunk can be free. */
        if (!can_be_chunk(target, &chunk, at, end) ||
            (at == first && (chunk.flags & CHUNK_BEFORE_IS_USED) == 0))
            return false;
        last = at;
        at += chunk.size;
    }
    chunks->first = first;
    chunks->last = last;
    chunks->top = at;
    chunks->has_next = has_next;
    return true;
}

/* Return whether the first chunk of the main heap may be at FIRST. */
static bool can_be_first_of_main(struct heap_chunks *chunks, struct target *target, uint64_t first)
{
    struct chunk chunk;
    uint64_t before;

    /* The word of a chunk before the first has never been written. */
    return read_heap_word(chunks, target, first, &before) && before == 0 &&
           read_heap_chunk(chunks, target, first, &chunk) &&
           (chunk.flags & (CHUNK_BEFORE_IS_USED | CHUNK_IS_OF_ARENA)) == CHUNK_BEFORE_IS_USED &&
           can_be_chunk(target, &chunk, first, chunks->end);
}

/* Find the heap in contiguous memory that was extended by brk(2) and ends with it. If the chunks do
 * not lead there, a thread may be changing them. A chunk that then seems to be the first may be a
 * former chunk in the middle of the heap. */
static void find_main_heap(struct heap_chunks *chunks, struct target *target)
{
    uint64_t first = chunks->start;

    for (unsigned page = 0; page < PAGES_BEFORE && first < chunks->end; page++, first += PAGE) {
        if (!can_be_first_of_main(chunks, target, first))
            continue;
        chunks->is_broken = !leads_to(chunks, target, first, chunks->end);
        return;
    }
}

/* Whether CHUNK at AT may be the first one of an arena's first heap: it is marked as an arena's
 * unless it is free. */
static bool can_be_first(struct heap_chunks *chunks, struct target *target,
                         const struct chunk *chunk, uint64_t at, uint64_t end)
{
    struct chunk next;

    if ((chunk->flags & CHUNK_IS_OF_ARENA) != 0)
        return true;
    return can_be_chunk(target, chunk, at, end) &&
           end - at - chunk->size >= 2 * (uint64_t)target->pointer_size &&
           read_heap_chunk(chunks, target, at + chunk->size, &next) &&
           (next.flags & CHUNK_BEFORE_IS_USED) == 0;
}

/* Find the chunks of the heap of another arena that begins at HEAP with USED bytes. */
static void find_arena_chunks(struct heap_chunks *chunks, struct target *target, uint64_t heap,
                              uint64_t used)
{
    uint64_t unit = 2 * (uint64_t)target->pointer_size;

    for (uint64_t at = unit; at < ARENA_REACH; at += unit) {
        struct chunk chunk;

        if (!read_heap_chunk(chunks, target, heap + at, &chunk))
            return;
        if (can_be_first(chunks, target, &chunk, heap + at, heap + used) &&
            leads_to(chunks, target, heap + at, heap + used))
            return;
    }
    chunks->is_broken = true;
}

/* Find the arena heap around ADDRESS. Such a heap begins at a multiple of its maximum size with
 * struct heap_info: arena, previous heap, bytes in use (glibc, malloc/arena.c). Returns false when
 * there is none, whether chunks are found or not. */
static bool find_arena_heap(struct heap_chunks *chunks, struct target *target, uint64_t address)
{
    uint32_t word = target->pointer_size;
    uint64_t most = word == 8 ? UINT64_C(64) << 20 : UINT64_C(1) << 20;
    uint64_t heap = address & ~(most - 1);
    uint64_t arena;
    uint64_t used;

    if (heap < chunks->start || heap + ARENA_REACH > chunks->end)
        return false;
    if (!read_heap_word(chunks, target, heap, &arena) ||
        !read_heap_word(chunks, target, heap + 2 * (uint64_t)word, &used))
        return true;
    if (arena == 0 || used > most || used < ARENA_REACH || used % PAGE != 0)
        return false;
    find_arena_chunks(chunks, target, heap, used);
    chunks->state = arena;
    /* Another arena's heap may follow in the same region. */
    if (chunks->first != 0)
        chunks->end = heap + used;
    return true;
}

/* Read the threads' caches for all heaps. If the threads' variables were not found, a cache may be
 * among the first blocks of this heap. */
static void read_caches(struct heap_chunks *chunks, struct target *target)
{
    uint64_t header = 2 * (uint64_t)target->pointer_size;
    uint64_t at = chunks->first;
    struct chunk chunk;
    ompd_rc_t rc = heap_caches_read(&chunks->caches, target);

    for (unsigned i = 0; i < BLOCKS_TRIED && rc == ompd_rc_ok && !chunks->caches.is_whole; i++) {
        if (at >= chunks->last || !read_heap_chunk(chunks, target, at, &chunk))
            break;
        rc = heap_caches_try_block(&chunks->caches, target, at + header);
        at += chunk.size;
    }
    chunks->is_lost |= rc != ompd_rc_ok;
}

/* Find the contiguous memory that contains ADDRESS, and the heap in it. */
static void find_heap(struct heap_chunks *chunks, struct target *target, uint64_t address)
{
    struct region_run run;
    ompd_rc_t rc = region_get_whole(target, address, &run);

    *chunks = (struct heap_chunks){.start = address,
                                   .end = address + 1,
                                   .is_lost = chunks->is_lost || rc == ompd_rc_incomplete,
                                   .caches = chunks->caches,
                                   .arena = chunks->arena};
    if (rc != ompd_rc_ok || !run.is_saved || !run.is_usable)
        return;
    chunks->start = run.start;
    chunks->end = run.end;
    /* Data at the start of a page of an arena's heap may look like the first chunk of the main
     * heap, and lead to its end. */
    if (!find_arena_heap(chunks, target, address))
        find_main_heap(chunks, target);
    chunks->at = chunks->first;
    if (chunks->first != 0)
        read_caches(chunks, target);
}

/* Whether NEXT leads to a chunk of SIZE in the heap. A thread's cache links the program's parts, an
 * arena's bins link chunks. */
static bool leads_to_like(struct heap_chunks *chunks, struct target *target, uint64_t next,
                          uint64_t size)
{
    uint64_t header = 2 * (uint64_t)target->pointer_size;
    struct chunk following;

    if (next % header != 0 || next < chunks->first + header || next >= chunks->top)
        return false;
    return (read_heap_chunk(chunks, target, next - header, &following) && following.size == size) ||
           (read_heap_chunk(chunks, target, next, &following) && following.size == size);
}

/* Whether the chunk at AT may be in a list for reuse: the program's part then begins with the
 * address of the next of its size, in glibc 2.32 and later mixed with its page number
 * (PROTECT_PTR). The address may be left over. */
static bool can_be_cached(struct heap_chunks *chunks, struct target *target, uint64_t at,
                          const struct chunk *chunk)
{
    uint64_t start = at + 2 * (uint64_t)target->pointer_size;
    uint64_t next;

    return read_heap_word(chunks, target, start, &next) &&
           (next == start >> 12 || leads_to_like(chunks, target, next ^ start >> 12, chunk->size) ||
            leads_to_like(chunks, target, next, chunk->size));
}

/* Whether the chunk at AT, used according to its neighbour, is in a list for reuse. */
static enum heap_use cached_use(struct heap_chunks *chunks, struct target *target, uint64_t at,
                                const struct chunk *chunk)
{
    uint64_t block = at + 2 * (uint64_t)target->pointer_size;
    bool may_be_fast = chunk->size <= heap_arena_largest(target);

    if (may_be_fast && !chunks->has_arena) {
        chunks->has_arena = true;
        if (heap_arena_read(&chunks->arena, target, chunks->state, chunks->last) != ompd_rc_ok)
            chunks->is_lost = true;
    }
    if (extents_find(&chunks->caches.blocks, block) != NULL ||
        (may_be_fast && extents_find(&chunks->arena.blocks, block) != NULL))
        return heap_is_cached;
    if (chunks->caches.is_whole && (!may_be_fast || chunks->arena.is_whole))
        return heap_is_used;
    return can_be_cached(chunks, target, at, chunk) ? heap_may_be_cached : heap_is_used;
}

static enum heap_use chunk_use(struct heap_chunks *chunks, struct target *target, uint64_t at,
                               const struct chunk *chunk)
{
    struct chunk next;

    if (at + chunk->size >= chunks->top && !chunks->has_next)
        return heap_is_freed;
    if (!read_heap_chunk(chunks, target, at + chunk->size, &next))
        return heap_unknown;
    if ((next.flags & CHUNK_BEFORE_IS_USED) == 0)
        return heap_is_freed;
    return cached_use(chunks, target, at, chunk);
}

/* Find the chunk of ADDRESS, which is in the heap. */
static struct heap_chunk find_chunk_of(struct heap_chunks *chunks, struct target *target,
                                       uint64_t address)
{
    uint64_t at = chunks->at <= address ? chunks->at : chunks->first;
    struct heap_chunk found = {.use = heap_unknown};
    struct chunk chunk;

    while (read_heap_chunk(chunks, target, at, &chunk) &&
           can_be_chunk(target, &chunk, at, chunks->top)) {
        if (address - at < chunk.size) {
            chunks->at = at;
            found.size = chunk.size;
            found.use = chunk_use(chunks, target, at, &chunk);
            return found;
        }
        at += chunk.size;
    }
    return found;
}

struct heap_chunk heap_chunks_find(struct heap_chunks *chunks, struct target *target,
                                   uint64_t address)
{
    struct heap_chunk found = {.use = heap_unknown};

    read_ahead_begin(target);
    if (address < chunks->start || address >= chunks->end)
        find_heap(chunks, target, address);
    if (chunks->first != 0 && address >= chunks->first && address < chunks->top)
        found = find_chunk_of(chunks, target, address);
    read_ahead_end(target);
    return found;
}

void heap_chunks_free(struct heap_chunks *chunks, struct memory *memory)
{
    extents_free(&chunks->caches.blocks, memory);
    extents_free(&chunks->arena.blocks, memory);
}
