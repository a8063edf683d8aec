/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mixing words into a hash. */
#ifndef LIBOMPD_HASH_H
#define LIBOMPD_HASH_H

#include <stdint.h>

/* HASH with WORD mixed in; the upper bits depend on all of both. */
static inline uint64_t hash_add(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

#endif
