/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Binary search. */
#ifndef LIBOMPD_SEARCH_H
#define LIBOMPD_SEARCH_H

#include <stdint.h>

/* The key of entry INDEX of ENTRIES. */
typedef uint64_t (*search_key_t)(const void *entries, uint64_t index);

/* The first of COUNT entries, whose keys ascend, with KEY or a larger one; COUNT: there is none. */
static inline uint64_t search_first(const void *entries, uint64_t count, search_key_t key_of,
                                    uint64_t key)
{
    uint64_t low = 0;
    uint64_t high = count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (key_of(entries, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
