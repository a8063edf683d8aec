/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a core may cost.  Its headers may claim anything, a terabyte in a hundred bytes: what is
 * read, held and written is bounded by what is really there (law 13).
 */
#ifndef OMPD_HOST_BOUND_H
#define OMPD_HOST_BOUND_H

#include <stdint.h>

#define BOUND_CONSTANT (UINT64_C(64) << 20) /* bytes */
#define BOUND_FACTOR UINT64_C(100)

/* How many bytes may come of PRESENT ones. */
static inline uint64_t bound_bytes(uint64_t present)
{
    return present > (UINT64_MAX - BOUND_CONSTANT) / BOUND_FACTOR
               ? UINT64_MAX
               : BOUND_CONSTANT + BOUND_FACTOR * present;
}

#endif
