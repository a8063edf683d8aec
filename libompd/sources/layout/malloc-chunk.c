/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The glibc malloc chunks in which objects were allocated. */
#include "sources/layout/discovery.h"

#include <string.h>

/* Bits of a chunk's size word. */
#define BEFORE_IS_USED 1
#define IS_MAPPED 2
#define FLAGS 7

/* No object has a larger chunk. */
#define MOST_SIZE 65536

/* Whether SIZE is possible for a chunk of WORD-sized words. Outside chunks it may be a pointer,
 * which is larger than any chunk. */
static bool is_chunk_size(uint64_t size, uint32_t word)
{
    uint64_t most = UINT64_C(1) << (word == 8 ? 32 : 28);

    return size >= UINT64_C(4) * word && size < most && size % (UINT64_C(2) * word) == 0;
}

/* Whether the chunk with the size word SIZE at OFFSET is consistent with the chunk before it, which
 * is in use, or free with its size between the two. If not, the chunk was merged with that one, and
 * memory in between has been allocated since. *IS_LOST is set when that size cannot be read. */
static bool follows_chunk(struct target *target, const struct scan_hit *hit, int64_t offset,
                          uint64_t size, bool *is_lost)
{
    uint32_t word = target->pointer_size;
    uint64_t before;

    if ((size & BEFORE_IS_USED) != 0)
        return true;
    if (scan_hit_number(target, hit, offset - word, word, &before))
        return is_chunk_size(before, word);
    *is_lost = scan_hit_covers(hit, offset - word, word);
    return false;
}

/* Where the allocation of the object of LAYOUT at HANDLE begins, as an address or an offset. */
static uint64_t allocation_start(uint64_t handle, const struct layout_object *layout)
{
    return handle + (uint64_t)(int64_t)(layout->lowest < 0 ? layout->lowest : 0);
}

/* Return whether a chunk with the size word SIZE can have been allocated for the object of
 * LAYOUT. */
static bool holds_object(const struct target *target, uint64_t size,
                         const struct layout_object *layout)
{
    uint64_t bytes = size & ~(uint64_t)FLAGS;

    return (size & IS_MAPPED) == 0 && is_chunk_size(bytes, target->pointer_size) &&
           bytes <= MOST_SIZE &&
           (int64_t)bytes >= layout->highest - (int64_t)allocation_start(0, layout);
}

/* A chunk has its size in the word in front of the program's part. If the previous chunk is free,
 * that one's size is in the word before. */
struct malloc_chunk malloc_chunk_inspect(struct target *target, const struct scan_hit *hit,
                                         const struct layout_object *object)
{
    const struct malloc_chunk none = {.size = 0};
    uint32_t word = target->pointer_size;
    int64_t start = (int64_t)allocation_start(0, object);
    uint64_t size;
    uint64_t next;
    uint64_t before_next;
    bool is_lost = false;

    if (!scan_hit_number(target, hit, start - word, word, &size))
        return (struct malloc_chunk){.is_lost = scan_hit_covers(hit, start - word, word)};
    if (!holds_object(target, size, object))
        return none;
    if (!follows_chunk(target, hit, start - word, size, &is_lost))
        return (struct malloc_chunk){.is_lost = is_lost};
    size &= ~(uint64_t)FLAGS;
    start += (int64_t)size - word;
    if (!scan_hit_number(target, hit, start, word, &next) ||
        !scan_hit_number(target, hit, start - word, word, &before_next))
        return (struct malloc_chunk){.is_lost = scan_hit_covers(hit, start, word)};
    if (!is_chunk_size(next & ~(uint64_t)FLAGS, word))
        return none;
    if ((next & BEFORE_IS_USED) != 0)
        return (struct malloc_chunk){.size = (uint32_t)size};
    /* A free chunk is merged with its free neighbours, so the one in front of the next chunk is not
     * smaller. */
    if (is_chunk_size(before_next, word) && before_next >= size)
        return (struct malloc_chunk){.size = (uint32_t)size, .is_free = true};
    return none;
}

bool malloc_chunk_was_freed(struct target *target, uint64_t handle,
                            const struct layout_object *layout, uint32_t size)
{
    uint32_t word = target->pointer_size;
    uint64_t end = allocation_start(handle, layout) + size;
    const uint8_t *bytes;
    uint64_t before_next;
    uint64_t next;

    if (target_view(target, end - UINT64_C(2) * word, UINT64_C(2) * word, 0, &bytes) != ompd_rc_ok)
        return false;
    before_next = target_integer(target, bytes, word);
    next = target_integer(target, bytes + word, word);
    return (next & BEFORE_IS_USED) == 0 && is_chunk_size(next & ~(uint64_t)FLAGS, word) &&
           is_chunk_size(before_next, word) && before_next >= size;
}

enum malloc_chunk_finding malloc_chunk_find(struct target *target, const struct scan_hit *hit,
                                            uint64_t *start)
{
    uint32_t word = target->pointer_size;
    uint64_t size;
    uint64_t next;
    bool has_next;

    for (int64_t at = -(int64_t)word; at >= -MALLOC_CHUNK_REACH; at -= word) {
        if (!scan_hit_number(target, hit, at, word, &size))
            return malloc_chunk_not_seen;
        if ((hit->address + (uint64_t)at + word) % (2 * (uint64_t)word) != 0 ||
            (size & IS_MAPPED) != 0)
            continue;
        size &= ~(uint64_t)FLAGS;
        if (!is_chunk_size(size, word) || at + (int64_t)size <= 0)
            continue;
        has_next = scan_hit_number(target, hit, at + (int64_t)size, word, &next);
        /* The last chunk, which is not allocated yet, ends with the heap's last page. */
        if (!has_next && (hit->address + (uint64_t)at + size - word) % TARGET_BLOCK_SIZE == 0)
            return malloc_chunk_is_free;
        if (!has_next || size > MOST_SIZE || !is_chunk_size(next & ~(uint64_t)FLAGS, word))
            continue;
        *start = hit->address + (uint64_t)at + word;
        return (next & BEFORE_IS_USED) != 0 ? malloc_chunk_is_allocated : malloc_chunk_is_free;
    }
    return malloc_chunk_not_seen;
}

/* Whether the allocation at START is in a list for reuse: it then begins with the next one's
 * address, mixed with its own page number. An allocation that was not written to begins with its
 * only neighbour in a list of larger ones, twice. */
static bool is_in_list(struct target *target, uint64_t start, const struct region_run *heap)
{
    uint64_t next;
    uint64_t previous;

    if (!target_word(target, start, &next) ||
        !target_word(target, start + target->pointer_size, &previous))
        return false;
    if (next == previous && next >= LEAST_POINTER && next != start &&
        next % (2 * (uint64_t)target->pointer_size) == 0)
        return true;
    next ^= start >> 12;
    return next == 0 || (next % (2 * (uint64_t)target->pointer_size) == 0 && next >= heap->start &&
                         next < heap->end);
}

/* Whether the chunk with the size word SIZE at AT begins where the free chunk before it ends, if
 * that is free. If not, the two were merged, and parts of the result have been allocated since.
 * UNREAD is set if the memory that would show this cannot be read. */
static bool meets_chunk(struct target *target, uint64_t at, uint64_t size, bool unread)
{
    uint32_t word = target->pointer_size;
    uint64_t before;
    uint64_t size_before;

    if ((size & BEFORE_IS_USED) != 0)
        return true;
    if (!target_word(target, at - word, &before))
        return unread;
    if (!is_chunk_size(before, word) || before >= at)
        return false;
    if (!target_word(target, at - before, &size_before))
        return unread;
    return (size_before & ~(uint64_t)FLAGS) == before;
}

bool malloc_chunk_is_left(struct target *target, uint64_t handle,
                          const struct layout_object *layout)
{
    uint64_t at = allocation_start(handle, layout) - target->pointer_size;
    uint64_t size;
    uint64_t next;

    return target_word(target, at, &size) && holds_object(target, size, layout) &&
           target_word(target, at + (size & ~(uint64_t)FLAGS), &next) &&
           is_chunk_size(next & ~(uint64_t)FLAGS, target->pointer_size) &&
           !meets_chunk(target, at, size, true);
}

/* The number of chunks that are followed: law 6. */
#define WALK_LIMIT 64

/* What a walk over chunks shows about a place in the first. */
enum walk_finding {
    walk_led_astray, /* nothing: a size is invalid */
    walk_led_on,     /* it is in a chunk of its own, in use or cached */
    walk_found_free  /* it is in a free chunk, with its size at its start and its end */
};

/* Follow the chunks from the one with its size word at AT, to find out about PLACE in it. Within a
 * larger free chunk the sizes of the merged chunks remain, and lead to its end. */
static enum walk_finding chunks_follow(struct target *target, uint64_t at, uint64_t place)
{
    uint32_t word = target->pointer_size;
    uint64_t size;
    uint64_t before;
    uint64_t size_before;
    struct region_run heap;

    if (!target_word(target, at, &size) || !region_find(target, at, &heap))
        return walk_led_astray;
    for (unsigned steps = 0; steps < WALK_LIMIT; steps++) {
        if (!is_chunk_size(size & ~(uint64_t)FLAGS, word))
            return walk_led_astray;
        at += size & ~(uint64_t)FLAGS;
        /* The last one reaches to the end of the heap. */
        if (at >= heap.end || !target_word(target, at, &size))
            return walk_led_on;
        if ((size & BEFORE_IS_USED) != 0 || !target_word(target, at - word, &before) ||
            before < at - word - place)
            continue;
        return target_word(target, at - before, &size_before) &&
                       (size_before & ~(uint64_t)FLAGS) == before
                   ? walk_found_free
                   : walk_led_astray;
    }
    return walk_led_on;
}

bool malloc_chunk_is_there(struct target *target, uint64_t start)
{
    uint64_t at = start - target->pointer_size;
    uint64_t size;

    return target_word(target, at, &size) && meets_chunk(target, at, size, false) &&
           chunks_follow(target, at, at - target->pointer_size) == walk_led_on;
}

bool malloc_chunk_in_free(struct target *target, uint64_t address)
{
    struct scan_hit hit = {.address = address, .end = UINT64_MAX};
    uint64_t start = 0;
    enum malloc_chunk_finding finding = malloc_chunk_find(target, &hit, &start);

    if (start == 0)
        return finding == malloc_chunk_is_free;
    return chunks_follow(target, start - target->pointer_size, address) == walk_found_free;
}

bool malloc_chunk_is_used(struct target *target, uint64_t start)
{
    struct region_run heap;

    return region_find(target, start - target->pointer_size, &heap) &&
           !is_in_list(target, start, &heap) && malloc_chunk_is_there(target, start);
}

bool malloc_chunk_was_start(struct target *target, uint64_t start)
{
    uint64_t size;

    return start % (UINT64_C(2) * target->pointer_size) == 0 &&
           target_word(target, start - target->pointer_size, &size) && (size & IS_MAPPED) == 0 &&
           is_chunk_size(size & ~(uint64_t)FLAGS, target->pointer_size);
}

uint64_t malloc_chunk_room(struct target *target, uint64_t start)
{
    uint64_t size;

    if (!target_word(target, start - target->pointer_size, &size))
        return 0;
    size &= ~(uint64_t)FLAGS;
    return size > target->pointer_size ? size - target->pointer_size : 0;
}

bool malloc_chunk_is_crossed(struct target *target, uint64_t handle,
                             const struct layout_object *layout, uint64_t *start)
{
    struct scan_hit hit = {.address = handle, .end = UINT64_MAX};

    *start = 0;
    if (malloc_chunk_find(target, &hit, start) == malloc_chunk_not_seen || *start == 0)
        return false;
    return malloc_chunk_room(target, *start) < handle - *start + (uint64_t)layout->highest;
}

/* ---- What sizes are typical ------------------------------------------------------------------ */

/* The objects of one kind. */
struct tally {
    uint32_t count;
    uint32_t in_chunks;
    uint16_t size; /* of most candidates in chunks; 0: no majority */
    uint32_t lead; /* by which it is ahead of the others */
};

/* Count the candidate. Different sizes cancel each other, so that a majority remains (Boyer and
 * Moore). */
static void tally_add(struct tally *tally, const struct candidate *candidate)
{
    tally->count++;
    if (candidate->chunk == 0)
        return;
    tally->in_chunks++;
    if (tally->lead == 0)
        tally->size = candidate->chunk;
    if (tally->size == candidate->chunk)
        tally->lead++;
    else
        tally->lead--;
}

/* Platforms and devices may be in the runtime's own data. */
static bool kind_is_counted(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
           (candidate->flags & candidate_chunk_lost) == 0 && candidate->kind != layout_platform &&
           candidate->kind != layout_device;
}

bool typical_chunks_find(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct tally tallies[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
    struct tally sums[RUNTIME_LIMIT];
    bool has_apart = false;

    memset(tallies, 0, sizeof(tallies));
    memset(sums, 0, sizeof(sums));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (!kind_is_counted(candidate))
            continue;
        tally_add(&tallies[candidate->runtime][candidate->kind], candidate);
        tally_add(&sums[candidate->runtime], candidate);
    }
    for (unsigned runtime = 0; runtime < RUNTIME_LIMIT; runtime++) {
        has_apart |= sums[runtime].in_chunks != sums[runtime].count;
        for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
            const struct tally *tally = &tallies[runtime][kind];
            bool is_typical =
                tally->in_chunks > tally->count / 2 ||
                (tally->in_chunks > 0 && sums[runtime].in_chunks > sums[runtime].count / 2);

            discovery->typical_chunks[runtime][kind] = is_typical ? tally->size : 0;
        }
    }
    return has_apart;
}
