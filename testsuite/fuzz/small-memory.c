/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-memory.h"

#include "../unit/fake-target.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of at least this many bytes are cached, up to this number. */
#define LARGE (UINT64_C(16) << 10)
#define MOST_KEPT 32
/* New memory is not zero. In a large block, only the start is filled: that finds code that assumes
 * zeros. */
#define SPOILT 4096

struct block {
    uint64_t size;
    uint64_t unused; /* what follows is aligned as by malloc */
};

static struct block *kept[MOST_KEPT];

/* A cached block of SIZE bytes, or NULL. */
static struct block *take_kept(uint64_t size)
{
    for (int i = 0; i < MOST_KEPT; i++)
        if (kept[i] != NULL && kept[i]->size == size) {
            struct block *block = kept[i];

            kept[i] = NULL;
            return block;
        }
    return NULL;
}

static bool keep(struct block *block)
{
    for (int i = 0; block->size >= LARGE && i < MOST_KEPT; i++)
        if (kept[i] == NULL) {
            kept[i] = block;
            return true;
        }
    return false;
}

static ompd_rc_t allocate(ompd_size_t size, void **memory)
{
    struct block *block = NULL;

    if (fake_fails(fake_alloc))
        return ompd_rc_nomem;
    if (size >= LARGE)
        block = take_kept(size);
    if (block == NULL)
        block = malloc(sizeof(*block) + size);
    block->size = size;
    memset(block + 1, 0xa5, size < SPOILT ? size : SPOILT);
    fake_current->live_blocks++;
    fake_current->live_bytes += size;
    if (fake_current->live_bytes > fake_current->peak_bytes)
        fake_current->peak_bytes = fake_current->live_bytes;
    *memory = block + 1;
    return ompd_rc_ok;
}

static ompd_rc_t release(void *memory)
{
    struct block *block = (struct block *)memory - 1;

    fake_current->live_blocks--;
    fake_current->live_bytes -= block->size;
    fake_current->frees++;
    if (!keep(block))
        free(block);
    return ompd_rc_ok;
}

const ompd_callbacks_t *small_callbacks(void)
{
    static ompd_callbacks_t callbacks;

    callbacks = fake_callbacks;
    callbacks.alloc_memory = allocate;
    callbacks.free_memory = release;
    return &callbacks;
}
