/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks that are running: whether one may have freed what it was called with. */
#ifndef LIBOMPD_RUNNING_CALLBACK_H
#define LIBOMPD_RUNNING_CALLBACK_H

#include "session/address-space.h"

/*
 * Tell whether the callback FUNCTION, which thread LWP runs, has surely freed nothing: by its code
 * it has called no function so far, or free() as the first, which has aborted.  Returns false, too,
 * where its stack or its code does not tell.
 */
bool running_callback_has_freed_nothing(struct address_space *space, uint64_t lwp,
                                        uint64_t function);

#endif
