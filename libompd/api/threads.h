/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that have entered OpenCL. */
#ifndef LIBOMPD_THREADS_H
#define LIBOMPD_THREADS_H

#include "session/address-space.h"

/* Have the records of threads read.  Also returns ompd_rc_unavailable when the recorder keeps
 * none. */
ompd_rc_t threads_need(struct address_space *space);

/* Find the id of the thread with LWP: see ompd_cl_object_find. */
ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id);

/* Open the list of threads: see ompd_cl_list_open. */
ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

#endif
