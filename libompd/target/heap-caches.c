/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The blocks that each thread caches for its next allocations: struct tcache_perthread_struct,
 * which a thread-local variable points to. */
#include "target/heap.h"

#include <string.h>

/* How far from its pthread_t a thread's variables of the C library are searched for, and the number
 * of words and threads that are tried: law 6. */
#define REACH UINT64_C(65536)
#define FOLLOWED 1024
#define THREADS 4

/* A thread caches no more blocks of one size (glibc, MAX_TCACHE_COUNT). */
#define BLOCKS_OF_A_SIZE 65535

/* A cache has a list for each block size from the smallest, in steps of malloc's alignment; glibc
 * 2.42 and later have further lists for ranges of larger sizes. */
#define LISTS_OF_A_SIZE 64
#define LISTS 76

/* The caches of glibc's versions: the number of blocks in each list, and then their first links. */
static const struct cache_shape {
    uint32_t lists;
    uint32_t width;   /* bytes of a number */
    bool counts_room; /* each list has the number of blocks that fit in */
} shapes[] = {
    {LISTS_OF_A_SIZE, 1, false}, /* 2.26 to 2.29 */
    {LISTS_OF_A_SIZE, 2, false}, /* to 2.41 */
    {LISTS, 2, true},
};

/* A cache as it was read. */
struct heap_cache {
    const struct cache_shape *shape;
    uint64_t unit; /* malloc's alignment */
    uint8_t bytes[LISTS * (sizeof(uint16_t) + sizeof(uint64_t))];
};

static uint64_t round_up(uint64_t number, uint64_t unit)
{
    return (number + unit - 1) / unit * unit;
}

/* Set the shape of CACHE for a chunk of SIZE bytes. Too small a remainder stays in the chunk. */
static bool find_cache_shape(const struct target *target, uint64_t size, uint64_t unit,
                             struct heap_cache *cache)
{
    uint64_t word = target->pointer_size;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        uint64_t least = round_up(shapes[i].lists * (shapes[i].width + word) + word, unit);

        if (size == least || size == least + unit) {
            cache->shape = &shapes[i];
            cache->unit = unit;
            return true;
        }
    }
    return false;
}

/* Read the block in use at ADDRESS as a cache. Returns false if it is not a cache. */
static bool read_cache(struct target *target, uint64_t address, struct heap_cache *cache)
{
    uint64_t word = target->pointer_size;
    const uint8_t *bytes;
    uint64_t size;
    uint64_t next;
    uint64_t length;

    if (address < TARGET_BLOCK_SIZE || address % (2 * word) != 0 ||
        !target_word(target, address - word, &size) || (size & CHUNK_IS_MAPPED) != 0)
        return false;
    size &= ~(uint64_t)CHUNK_FLAGS;
    if (!find_cache_shape(target, size, 2 * word, cache) &&
        !find_cache_shape(target, size, 16, cache))
        return false;
    length = cache->shape->lists * (cache->shape->width + word);
    if (!target_word(target, address - word + size, &next) || (next & CHUNK_BEFORE_IS_USED) == 0 ||
        target_view(target, address, length, 0, &bytes) != ompd_rc_ok)
        return false;
    memcpy(cache->bytes, bytes, length);
    return true;
}

static uint64_t list_block_count(const struct target *target, const struct heap_cache *cache,
                                 uint32_t list)
{
    return target_integer(target, cache->bytes + (size_t)list * cache->shape->width,
                          cache->shape->width);
}

static uint64_t first_block(const struct target *target, const struct heap_cache *cache,
                            uint32_t list)
{
    const uint8_t *firsts = cache->bytes + (size_t)cache->shape->lists * cache->shape->width;

    return target_integer(target, firsts + (size_t)list * target->pointer_size,
                          target->pointer_size);
}

/* The number of blocks that a list of CACHE may have, by its empty lists; UINT64_MAX if there are
 * none, or they disagree. */
static uint64_t cache_list_limit(const struct target *target, const struct heap_cache *cache)
{
    uint64_t room = UINT64_MAX;

    for (uint32_t i = 0; i < cache->shape->lists && cache->shape->counts_room; i++) {
        if (first_block(target, cache, i) != 0)
            continue;
        if (room != UINT64_MAX && room != list_block_count(target, cache, i))
            return UINT64_MAX;
        room = list_block_count(target, cache, i);
    }
    return room;
}

/* Whether a list of COUNT blocks agrees with the count of CACHE. A thread that was stopped during
 * an insertion or removal has not updated it yet. */
static bool counts_agree(uint64_t count, uint64_t number, uint64_t room, bool counts_room)
{
    if (!counts_room)
        return count + 1 >= number && number + 1 >= count;
    return room == UINT64_MAX || (count + number + 1 >= room && room + 1 >= count + number);
}

/* Add the blocks of list number INDEX of CACHE.  Returns as heap_list_read. */
static ompd_rc_t read_cache_list(struct extents *blocks, struct target *target,
                                 const struct heap_cache *cache, uint32_t index, uint64_t room)
{
    uint64_t size = round_up(4 * (uint64_t)target->pointer_size, cache->unit);
    struct heap_list list = {.first = first_block(target, cache, index), .limit = BLOCKS_OF_A_SIZE};
    uint64_t number = list_block_count(target, cache, index);
    size_t before = blocks->count;
    ompd_rc_t rc;

    list.is_of_a_range = index >= LISTS_OF_A_SIZE;
    list.least = size + (list.is_of_a_range ? LISTS_OF_A_SIZE : index) * cache->unit;
    list.most = list.is_of_a_range ? UINT64_MAX : list.least;
    if (!cache->shape->counts_room)
        list.limit = number + 1;
    rc = heap_list_read(target, &list, blocks);
    if (rc == ompd_rc_ok &&
        !counts_agree(blocks->count - before, number, room, cache->shape->counts_room))
        rc = ompd_rc_unavailable;
    return rc;
}

/* Add the blocks of the cache at ADDRESS. Returns ompd_rc_ok; ompd_rc_unavailable when it is not a
 * cache, with *BLOCKS unchanged; ompd_rc_nomem; ompd_rc_interrupted. */
static ompd_rc_t read_cache_blocks(struct extents *blocks, struct target *target, uint64_t address)
{
    struct heap_cache cache;
    size_t before = blocks->count;
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t room;

    if (!read_cache(target, address, &cache))
        return ompd_rc_unavailable;
    room = cache_list_limit(target, &cache);
    for (uint32_t i = 0; i < cache.shape->lists && rc == ompd_rc_ok; i++)
        rc = read_cache_list(blocks, target, &cache, i, room);
    if (rc != ompd_rc_ok)
        blocks->count = before;
    return rc;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The machines on which a thread's variables are below its pthread_t. On the others they are above
 * its thread pointer (ELF Handling For Thread-Local Storage, variants II and I). */
static bool are_below(struct target *target)
{
    uint32_t machine = module_first_machine(target);

    return machine == 3 || machine == 62; /* i386, x86-64 */
}

/* Find how far from the thread's PTHREAD the variable is that leads to its cache, in steps of STEP.
 * Returns as read_cache_blocks. */
static ompd_rc_t find_variable_offset(struct heap_caches *caches, struct target *target,
                                      uint64_t pthread, uint64_t step, uint64_t *offset)
{
    uint64_t word = target->pointer_size;
    uint32_t followed = 0;
    uint64_t address;

    for (uint64_t i = 1; i <= REACH / word && followed < FOLLOWED; i++) {
        ompd_rc_t rc;

        if (!target_word(target, pthread + i * step, &address))
            break;
        if (address == 0 || address % (2 * word) != 0)
            continue;
        followed++;
        rc = read_cache_blocks(&caches->blocks, target, address);
        if (rc == ompd_rc_unavailable)
            continue;
        caches->blocks.count = 0;
        *offset = i * step;
        return rc;
    }
    return ompd_rc_unavailable;
}

/* Find it by the first threads. */
static ompd_rc_t find_variable(struct heap_caches *caches, struct target *target, uint64_t *offset)
{
    uint64_t word = target->pointer_size;
    uint64_t step = are_below(target) ? -word : word;
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_unavailable;

    for (uint32_t i = 0; i < THREADS && rc == ompd_rc_unavailable; i++) {
        ompd_rc_t thread_rc = thread_get(target, i, &thread);

        if (thread_rc != ompd_rc_ok)
            return rc_is_final(thread_rc) ? thread_rc : ompd_rc_unavailable;
        if (thread.pthread == 0)
            continue;
        caches->is_known = true;
        rc = find_variable_offset(caches, target, thread.pthread, step, offset);
    }
    return rc;
}

/* Add the blocks of THREAD, whose variable is at OFFSET. Its cache may not be initialised yet. */
static ompd_rc_t read_thread_cache(struct heap_caches *caches, struct target *target,
                                   const ompd_cl_target_thread_t *thread, uint64_t offset)
{
    uint64_t address;
    ompd_rc_t rc;

    if (thread->pthread == 0 || !target_word(target, thread->pthread + offset, &address)) {
        caches->is_whole = false;
        return ompd_rc_ok;
    }
    if (address == 0)
        return ompd_rc_ok;
    rc = read_cache_blocks(&caches->blocks, target, address);
    caches->is_there |= rc == ompd_rc_ok;
    caches->is_whole &= rc == ompd_rc_ok;
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

static ompd_rc_t read_thread_caches(struct heap_caches *caches, struct target *target)
{
    ompd_cl_target_thread_t thread;
    uint64_t offset;
    ompd_rc_t rc = find_variable(caches, target, &offset);

    if (rc != ompd_rc_ok)
        return rc;
    caches->is_whole = true;
    for (uint32_t i = 0; (rc = thread_get(target, i, &thread)) == ompd_rc_ok; i++) {
        rc = read_thread_cache(caches, target, &thread, offset);
        if (rc != ompd_rc_ok)
            return rc;
    }
    caches->is_whole &= rc == ompd_rc_unavailable;
    return rc;
}

ompd_rc_t heap_caches_read(struct heap_caches *caches, struct target *target)
{
    uint16_t failure = target->failure;
    ompd_rc_t rc;

    if (caches->is_looked)
        return ompd_rc_ok;
    caches->is_looked = true;
    rc = read_thread_caches(caches, target);
    extents_sort(&caches->blocks);
    /* A word that leads nowhere is not a failure. */
    target->failure = failure;
    if (rc_is_final(rc))
        caches->is_whole = false;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t heap_caches_try_block(struct heap_caches *caches, struct target *target, uint64_t address)
{
    uint16_t failure = target->failure;
    ompd_rc_t rc = read_cache_blocks(&caches->blocks, target, address);

    extents_sort(&caches->blocks);
    target->failure = failure;
    caches->is_there |= rc == ompd_rc_ok;
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
