/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unsigned integers of the tool's, in its byte order: ids of threads and devices. */
#ifndef LIBOMPD_TOOL_INTEGER_H
#define LIBOMPD_TOOL_INTEGER_H

#include <ompd-opencl.h>

/* The integer of SIZE bytes at BYTES; 0 when SIZE is neither 4 nor 8. */
uint64_t tool_integer_take(const void *bytes, ompd_size_t size);

/* Write VALUE into the SIZE bytes, 4 or 8, at BYTES. */
void tool_integer_give(void *bytes, ompd_size_t size, uint64_t value);

#endif
