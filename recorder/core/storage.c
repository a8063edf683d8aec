/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#define HEAPS_PER_BLOCK 64u
#define BLOCK_LIMIT 1024u

static pthread_mutex_t growth_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct recorder_heap *blocks[BLOCK_LIMIT];
static uint32_t heap_count;

void *recorder_memory_map(size_t bytes)
{
    int saved_errno = errno;
    void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = saved_errno;
    return address == MAP_FAILED ? NULL : address;
}

void recorder_growth_lock(void)
{
    pthread_mutex_lock(&growth_mutex);
}

void recorder_growth_unlock(void)
{
    pthread_mutex_unlock(&growth_mutex);
}

void recorder_growth_lock_reset(void)
{
    pthread_mutex_init(&growth_mutex, NULL);
}

struct recorder_heap *recorder_heap_get(uint32_t number)
{
    return &blocks[number / HEAPS_PER_BLOCK][number % HEAPS_PER_BLOCK];
}

uint32_t recorder_heap_count(void)
{
    return heap_count;
}

struct recorder_heap *recorder_heap_next(void)
{
    uint32_t block = heap_count / HEAPS_PER_BLOCK;
    if (block < BLOCK_LIMIT && !blocks[block]) {
        blocks[block] = recorder_memory_map(HEAPS_PER_BLOCK * sizeof(struct recorder_heap));
    }
    if (block == BLOCK_LIMIT || !blocks[block]) {
        return NULL;
    }
    struct recorder_heap *heap = recorder_heap_get(heap_count);
    heap->number = heap_count;
    return heap;
}

void recorder_heap_add(void)
{
    heap_count++;
}
