/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cost bounds of reading a core.  A few bytes of headers may claim a terabyte: what is read, held
 * and written is bounded by what the file really contains (law 13).
 */
#ifndef OMPD_HOST_BOUND_H
#define OMPD_HOST_BOUND_H

#include <stdint.h>

#define BOUND_CONSTANT (UINT64_C(64) << 20) /* bytes */
#define BOUND_FACTOR UINT64_C(100)

/* How many bytes PRESENT bytes may expand to. */
static inline uint64_t bound_bytes(uint64_t present)
{
    return present > (UINT64_MAX - BOUND_CONSTANT) / BOUND_FACTOR
               ? UINT64_MAX
               : BOUND_CONSTANT + BOUND_FACTOR * present;
}

/* Mapping takes up address space, whether or not there is anything behind it. */
#define BOUND_COPIES (UINT64_C(2) << 30)        /* bytes for copies of modules */
#define BOUND_ADDRESS_SPACE (UINT64_C(4) << 30) /* bytes for these copies and the process */

#define BOUND_FILES (UINT64_C(32) << 30) /* maximum number of bytes for files that a core names */

/* The address space limit of a process that reads files of SIZE bytes, of which PRESENT are not
 * in holes.  It may map each file twice, as libelf maps them too, and hold the expanded data. */
static inline uint64_t bound_address_space(uint64_t present, uint64_t size)
{
    uint64_t bytes = bound_bytes(present);
    uint64_t most = UINT64_MAX / 2;

    return size > most / 4 || bytes > most / 4 ? most : 2 * bytes + 2 * size;
}

/* How much a process may write that reads a core of PRESENT bytes: answers may contain the same
 * data several times. */
static inline uint64_t bound_written(uint64_t present)
{
    uint64_t bytes = bound_bytes(present);

    return bytes > UINT64_MAX / 2 ? UINT64_MAX : 2 * bytes;
}

#endif
