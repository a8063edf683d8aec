/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Allocators other than glibc's malloc, whose free blocks are not known. */
#include "target/heap.h"

/* Other allocators, by functions that only they have. */
static const struct {
    const char *symbol;
    const char *name;
} allocators[] = {
    {"mallctl", "jemalloc"},
    {"je_mallctl", "jemalloc"},
    {"_rjem_mallctl", "jemalloc"},
    {"tc_malloc", "tcmalloc"},
    {"mi_malloc", "mimalloc"},
    {"__asan_init", "AddressSanitizer"},
    {"__tsan_init", "ThreadSanitizer"},
    {"__msan_init", "MemorySanitizer"},
};

const char *other_allocator_find(struct target *target)
{
    uint64_t address;

    for (size_t i = 0; i < sizeof(allocators) / sizeof(allocators[0]); i++) {
        if (target_symbol(target, allocators[i].symbol, &address) == ompd_rc_ok)
            return allocators[i].name;
    }
    return NULL;
}
