/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An allocator to preload in place of glibc's malloc. It has a function that identifies mimalloc.
 * Freed memory is not reused. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RESERVED ((size_t)1 << 30)
#define LEAST 16

void *mi_malloc(size_t size);
void *memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
int posix_memalign(void **block, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
size_t malloc_usable_size(void *block);

static uintptr_t next; /* atomic: the address of the next block; 0: nothing is mapped yet */
static int is_begun;   /* atomic */

static void begin(void)
{
    int expected = 0;
    if (!__atomic_compare_exchange_n(&is_begun, &expected, 1, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST)) {
        while (__atomic_load_n(&next, __ATOMIC_ACQUIRE) == 0)
            continue;
        return;
    }
    void *memory = mmap(NULL, RESERVED, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        _exit(9);
    __atomic_store_n(&next, (uintptr_t)memory, __ATOMIC_RELEASE);
}

/* The size of a block is stored before it. */
void *memalign(size_t alignment, size_t size)
{
    if (__atomic_load_n(&next, __ATOMIC_ACQUIRE) == 0)
        begin();
    if (alignment < LEAST)
        alignment = LEAST;
    uintptr_t start = __atomic_fetch_add(&next, size + 2 * alignment, __ATOMIC_SEQ_CST);
    uintptr_t block = (start + LEAST + alignment - 1) / alignment * alignment;
    *(size_t *)(block - sizeof(size_t)) = size;
    return (void *)block;
}

void *mi_malloc(size_t size)
{
    return memalign(LEAST, size);
}

void *malloc(size_t size)
{
    return memalign(LEAST, size);
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void free(void *block)
{
    (void)block;
}

size_t malloc_usable_size(void *block)
{
    return block == NULL ? 0 : *(size_t *)((uintptr_t)block - sizeof(size_t));
}

void *realloc(void *block, size_t size)
{
    size_t before = malloc_usable_size(block);
    void *other = malloc(size);
    if (block != NULL)
        memcpy(other, block, before < size ? before : size);
    return other;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}
