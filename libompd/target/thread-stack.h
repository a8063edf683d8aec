/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The call stack of a thread of the target, and its registers, as the tool tells them. */
#ifndef LIBOMPD_THREAD_STACK_H
#define LIBOMPD_THREAD_STACK_H

#include "target/target.h"

/* Frames that are had of a stack, and registers of a thread; further ones are not looked at. */
#define THREAD_FRAMES 128
#define THREAD_REGISTERS 128

/* Registers of further frames that are kept, of all together: those that functions preserve. */
#define OUTER_REGISTERS 512

/* A thread's call stack, innermost first, and the registers of its frames, the stack's own copy. */
struct thread_stack {
    uint64_t lwp; /* 0: none was asked for yet */
    uint64_t stop;
    uint32_t capacity;    /* frames that were asked for */
    uint32_t frame_count; /* 0: the tool does not tell it */
    uint32_t register_count;
    ompd_cl_frame_t frames[THREAD_FRAMES];
    ompd_cl_register_t registers[THREAD_REGISTERS];
    ompd_cl_register_t outer_registers[OUTER_REGISTERS];
};

/* Have in STACK the innermost frames of LWP, at most CAPACITY.  Nothing is asked when it has them,
 * of this stop. */
void thread_stack_get(struct target *target, uint64_t lwp, uint32_t capacity,
                      struct thread_stack *stack);

/* The value of register NUMBER of the first frame of STACK in *VALUE.  False: it is not known. */
bool thread_register_get(const struct thread_stack *stack, uint32_t number, uint64_t *value);

/* The same of frame FRAME, below its count, as the tool has unwound it. */
bool thread_frame_register_get(const struct thread_stack *stack, uint32_t frame, uint32_t number,
                               uint64_t *value);

#endif
