/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that are in OpenCL, told without the recorder: by the calls on their stacks that have not
 * returned.  A return address behind a call of a public function of OpenCL says that the thread is
 * in that function, however the loader and the runtime are built; a function that an OpenCL runtime
 * has called, and that is in a module which calls OpenCL itself, is presumably a callback.
 */
#ifndef LIBOMPD_FOUND_THREADS_H
#define LIBOMPD_FOUND_THREADS_H

#include "session/address-space.h"

/* Tell whether the tool of SPACE tells threads and their stacks, and wants them as a source. */
bool found_threads_are_told(const struct address_space *space);

/* Have the threads of this stop in `threads` of SPACE; where some could not be looked at, IS_AGAIN
 * has that tried again.  Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t found_threads_take(struct address_space *space, bool is_again);

/* The thread LWP of those; NULL when it is none of them. */
const struct found_thread *found_thread_find(const struct address_space *space, uint64_t lwp);

#endif
