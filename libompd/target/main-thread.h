/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The thread that ran main(): it may end before the others do, by pthread_exit(). */
#ifndef LIBOMPD_MAIN_THREAD_H
#define LIBOMPD_MAIN_THREAD_H

#include "target/target.h"

/* Tell whether the main thread has ended, *LWP, and in *COUNT how many live.  False: it has not, or
 * that is not known.  *RC gets ompd_rc_ok; ompd_rc_incomplete when not all threads could be had;
 * what ends the call. */
bool main_thread_has_ended(struct target *target, uint64_t *lwp, uint64_t *count, ompd_rc_t *rc);

#endif
