/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory.h"

ompd_rc_t memory_allocate(const struct memory *memory, size_t size, void **block)
{
    void *allocated = NULL;

    if (memory->allocate(size, &allocated) != ompd_rc_ok || allocated == NULL)
        return ompd_rc_nomem;
    *block = allocated;
    return ompd_rc_ok;
}

void memory_free(const struct memory *memory, void *block)
{
    if (block != NULL)
        memory->free(block);
}
