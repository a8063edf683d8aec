/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands for the function in a list of callbacks of an object that is being destroyed. */
#ifndef LIBOMPD_CALLBACK_H
#define LIBOMPD_CALLBACK_H

#include "target/code.h"

enum callback_sign {
    callback_has_code,   /* it may be called, or has been */
    callback_lacks_code, /* so it would be, but no code is there */
    callback_is_over     /* it has run: the allocator has taken its memory back */
};

/*
 * Tell what FUNCTION, which the callback at ELEMENT has, says about it.  Some runtimes free a
 * callback once it has run, and leave it in the list; glibc's malloc then writes over its first
 * word: a pointer to another chunk of the same heap, or none, since 2.32 mixed with the word's own
 * address.
 */
enum callback_sign callback_look(struct code *code, struct target *target, uint64_t element,
                                 uint64_t function);

#endif
