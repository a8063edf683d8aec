/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A piece of a core, and numbers in it: in the target's byte order, within bounds. */
#ifndef OMPD_HOST_BYTES_H
#define OMPD_HOST_BYTES_H

#include <config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *start;
    size_t size;
    bool is_swapped;
};

/* SIZE bytes of WHOLE from OFFSET on: fewer, down to none, where it ends before. */
struct bytes bytes_cut(struct bytes whole, uint64_t offset, uint64_t size);

/* The number of SIZE (1, 2, 4 or 8) bytes at OFFSET; 0 when it is not within. */
uint64_t bytes_number(struct bytes whole, uint64_t offset, size_t size);

/* The text at OFFSET, NULL when it does not end within. */
const char *bytes_text(struct bytes whole, uint64_t offset);

#endif
