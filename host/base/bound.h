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

/* Address space is taken up by what is mapped, whether or not there is anything behind it. */
#define BOUND_COPIES (UINT64_C(2) << 30)        /* bytes of it for copies of modules */
#define BOUND_ADDRESS_SPACE (UINT64_C(4) << 30) /* for these and for the process as such */

#define BOUND_FILES (UINT64_C(32) << 30) /* for files that a core names, at most */

/* How much of it a process may take up that reads files in which SIZE bytes are, PRESENT of them
 * not in holes: it may map each file twice, as libelf does besides this library, and hold what may
 * come of the bytes. */
static inline uint64_t bound_address_space(uint64_t present, uint64_t size)
{
    uint64_t bytes = bound_bytes(present);
    uint64_t most = UINT64_MAX / 2;

    return size > most / 4 || bytes > most / 4 ? most : 2 * bytes + 2 * size;
}

/* How much a process may write that reads a core in which PRESENT bytes are: answers name what is
 * in it more than once. */
static inline uint64_t bound_written(uint64_t present)
{
    uint64_t bytes = bound_bytes(present);

    return bytes > UINT64_MAX / 2 ? UINT64_MAX : 2 * bytes;
}

#endif
