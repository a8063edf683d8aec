/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h.  malloc and its family are defined here, before the C library's.  The probe does
 * not learn with AddressSanitizer, whose heap cannot be inspected. */
#include <learn/base/base.h>

#ifdef __SANITIZE_ADDRESS__

bool guard_heap_has_bounds(void)
{
    return false;
}

void guard_heap_set_fill(enum block_fill fill)
{
    (void)fill;
}

void guard_heap_retain_freed(bool keeps)
{
    (void)keeps;
}

bool guard_heap_find(uintptr_t address, struct malloc_block *block)
{
    (void)address, (void)block;
    return false;
}

#else

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_LIVE UINT64_C(0x6b636f6c62657669)
#define BLOCK_FREED UINT64_C(0x6b636f6c62646561)
#define BLOCK_SEARCHED 65536 /* bytes */
#define BLOCK_PAGE 4096

/* Precedes each block. */
struct header {
    uint64_t mark; /* BLOCK_LIVE or BLOCK_FREED, xor its address, so that a copy is not a header */
    void *raw;     /* block of the C library */
    uint64_t size;
    uint64_t reserved; /* keeps blocks aligned to 16 bytes */
};

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void __libc_free(void *block);

static atomic_bool retains_freed;
static atomic_int fill_byte = block_fill_first;

static struct header *header_of(void *user)
{
    return (struct header *)user - 1;
}

static bool is_ours(void *user, uint64_t mark)
{
    struct header *header = header_of(user);

    return header->mark == (mark ^ (uintptr_t)header);
}

/* Put a header before a block of SIZE bytes within RAW, at a multiple of ALIGNMENT. */
static void *place_header(void *raw, size_t size, size_t alignment)
{
    uintptr_t start = (uintptr_t)raw + sizeof(struct header);
    struct header *header;

    start = (start + alignment - 1) & ~(uintptr_t)(alignment - 1);
    header = header_of((void *)start);
    header->mark = BLOCK_LIVE ^ (uintptr_t)header;
    header->raw = raw;
    header->size = size;
    return (void *)start;
}

static void *allocate_block(size_t size, size_t alignment)
{
    size_t more = sizeof(struct header) + (alignment > 16 ? alignment : 0);
    void *raw = size <= SIZE_MAX - more ? __libc_malloc(size + more) : NULL;

    if (raw == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    raw = place_header(raw, size, alignment > 16 ? alignment : 16);
    if (size <= BLOCK_SEARCHED)
        memset(raw, atomic_load(&fill_byte), size);
    return raw;
}

void *malloc(size_t size)
{
    return allocate_block(size, 16);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    void *raw;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - sizeof(struct header)) {
        errno = ENOMEM;
        return NULL;
    }
    raw = __libc_calloc(1, bytes + sizeof(struct header));
    return raw != NULL ? place_header(raw, bytes, 16) : NULL;
}

void free(void *block)
{
    int error = errno;

    if (block == NULL)
        return;
    if (!is_ours(block, BLOCK_LIVE)) {
        if (!is_ours(block, BLOCK_FREED))
            __libc_free(block);
        return;
    }
    if (atomic_load(&retains_freed) && header_of(block)->size <= BLOCK_SEARCHED) {
        header_of(block)->mark = BLOCK_FREED ^ (uintptr_t)header_of(block);
        return;
    }
    header_of(block)->mark = 0;
    __libc_free(header_of(block)->raw);
    errno = error;
}

size_t malloc_usable_size(void *block)
{
    return block != NULL && is_ours(block, BLOCK_LIVE) ? header_of(block)->size : 0;
}

void *realloc(void *block, size_t size)
{
    size_t old = malloc_usable_size(block);
    void *moved;

    if (block != NULL && size == 0) {
        free(block);
        return NULL;
    }
    moved = allocate_block(size, 16);
    if (moved == NULL || block == NULL)
        return moved;
    memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    return allocate_block(size, alignment);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate_block(size, alignment);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *start = allocate_block(size, alignment);

    if (start == NULL)
        return ENOMEM;
    *block = start;
    return 0;
}

bool guard_heap_has_bounds(void)
{
    return true;
}

void guard_heap_set_fill(enum block_fill fill)
{
    atomic_store(&fill_byte, fill);
}

void guard_heap_retain_freed(bool keeps)
{
    atomic_store(&retains_freed, keeps);
}

/* Whether the header of a block that contains ADDRESS is at AT; BYTES is a copy of it. */
static bool is_header(const unsigned char *bytes, uintptr_t at, uintptr_t address,
                      struct malloc_block *block)
{
    struct header header;

    memcpy(&header, bytes, sizeof(header));
    if (header.mark != (BLOCK_LIVE ^ at) && header.mark != (BLOCK_FREED ^ at))
        return false;
    block->start = at + sizeof(header);
    block->size = header.size;
    block->is_freed = header.mark == (BLOCK_FREED ^ at);
    return address < block->start + block->size;
}

bool guard_heap_find(uintptr_t address, struct malloc_block *block)
{
    static unsigned char bytes[BLOCK_PAGE + sizeof(struct header)];
    uintptr_t page = address & ~(uintptr_t)(BLOCK_PAGE - 1);
    uintptr_t at = (address & ~(uintptr_t)15) - sizeof(struct header);
    size_t extra = 0; /* of the next page, as a header may extend into it */

    for (size_t i = 0; i <= BLOCK_SEARCHED / BLOCK_PAGE && page != 0; i++) {
        if (!own_memory_read(page, bytes, BLOCK_PAGE + extra))
            return false;
        for (; at >= page; at -= 16)
            if (at + sizeof(struct header) <= page + BLOCK_PAGE + extra &&
                is_header(bytes + (at - page), at, address, block))
                return true;
            else if (at < 16)
                return false;
        page -= BLOCK_PAGE;
        extra = sizeof(struct header);
    }
    return false;
}

#endif
