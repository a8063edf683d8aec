/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the program called from: the return address, and call stacks when the user asked for them.
 */
#ifndef RECORDER_STACK_H
#define RECORDER_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* A place in the program. */
struct recorder_site {
    uint64_t caller; /* return address into the program */
    uint32_t stack;  /* index in the stack table plus 1, 0 for none */
};

/* Frames to record per call stack; 1 is the caller alone. */
void recorder_stacks_prepare(uint32_t depth);

/* Take the code of ADDRESS's module for that of an OpenCL loader: never a part of the program. */
void recorder_stack_leave_out(const void *address);

/* Find the place, given the return address of the wrapper that the program (or the loader) called.
 */
struct recorder_site recorder_site_find(const void *return_address);

#endif
