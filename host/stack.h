/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The call stacks of a target's threads. */
#ifndef OMPD_HOST_STACK_H
#define OMPD_HOST_STACK_H

#include <host/registers.h>

/* Registers of a frame that functions preserve, in the order of registers_preserved. */
struct preserved {
    bool are_known[PRESERVED_LIMIT];
    uint64_t values[PRESERVED_LIMIT];
};

/*
 * Like ompd_host_stack_get; *REGISTERS, which may be NULL, gets those that the stack was followed
 * from: of the first frame, or where that has no code of the second.  Of the others PRESERVED,
 * which has room for CAPACITY or is NULL, gets what their callers left.
 */
ompd_host_rc_t stack_follow(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                            ompd_host_frame_t *frames, size_t *count, struct registers *registers,
                            struct preserved *preserved);

#endif
