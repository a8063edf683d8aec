/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program has freed memory, for rules about host memory and user data. */
#ifndef LIBOMPD_FREED_MEMORY_H
#define LIBOMPD_FREED_MEMORY_H

#include "findings/heap-chunks.h"
#include "findings/taking.h"

/* Begin with {0}, end with freed_memory_free. */
struct freed_memory {
    struct heap_chunks chunks;
    bool has_heap;  /* one of glibc's malloc was met */
    bool is_looked; /* another allocator was looked for */
};

/* Tell whether the memory at ADDRESS, which is mapped, was freed.  False where that is not proved;
 * TAKING's findings then say what was not looked for.  Cheapest for rising addresses. */
bool freed_memory_has(struct taking *taking, struct freed_memory *memory, uint64_t address);

void freed_memory_free(struct freed_memory *memory, struct taking *taking);

#endif
