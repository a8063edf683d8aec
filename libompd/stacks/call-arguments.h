/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a function was given by a call that has not returned: told by the machine's code before the
 * call, from the registers that functions preserve and from memory.  Where other code may have come
 * to the call on another way, or memory was changed since, it may be something else.
 */
#ifndef LIBOMPD_CALL_ARGUMENTS_H
#define LIBOMPD_CALL_ARGUMENTS_H

#include "session/address-space.h"
#include "session/kept-threads.h"

/* Which code tells what a function was given. */
enum call_way {
    call_by_caller = 1, /* that before the call: the frame has called it itself, and not another
                         * function that went on to it without a frame of its own */
    call_by_called = 2  /* that of the function: the frame within is its own */
};

/* Have in *ARGUMENTS what the first parameters of the function were given that frame NUMBER of
 * STACK, not the first, has led to, as WAYS, of enum call_way, tell; MACHINE is the number of ELF.
 */
void call_arguments_find(struct address_space *space, uint32_t machine,
                         const struct thread_stack *stack, uint32_t number, unsigned ways,
                         struct found_arguments *arguments);

#endif
