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

/* Take the code of ADDRESS's module for no part of the program: it is an OpenCL loader, or another
 * layer. */
void recorder_stack_leave_out(const void *address);

/* Return addresses in [start, start + size) may be of code that is no part of the program (or call
 * stacks are wanted, and all addresses are in it). */
struct recorder_code_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_code_range recorder_code_doubtful;

/* What recorder_site_find does with a return address that is doubtful. */
void recorder_site_find_slowly(struct recorder_site *site, const void *return_address);

/* An object is about to be there that STACK, which is not 0, has made. */
void recorder_stack_count_made(uint32_t stack);

/* Find the place, given the return address of the wrapper that the program (or the loader) called.
 */
static inline void recorder_site_find(struct recorder_site *site, const void *return_address)
{
    site->caller = (uintptr_t)return_address;
    site->stack = 0;
    if (__builtin_expect(site->caller - recorder_code_doubtful.start < recorder_code_doubtful.size,
                         0)) {
        recorder_site_find_slowly(site, return_address);
    }
}

#endif
