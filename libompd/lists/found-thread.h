/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads, of whichever source, and those whose stacks show that they are in OpenCL. */
#ifndef LIBOMPD_FOUND_THREAD_H
#define LIBOMPD_FOUND_THREAD_H

#include "lists/list.h"
#include "session/identifier.h"
#include "session/kept-threads.h"

/* Have the records of threads read.  Also returns ompd_rc_unavailable when the recorder keeps
 * none. */
ompd_rc_t threads_need(struct address_space *space);

/* Have threads, of whichever source: *ARE_RECORDED tells which.  Where there is a recorder it alone
 * is asked.  Returns as threads_need. */
ompd_rc_t threads_open(struct address_space *space, bool *are_recorded);

/* Find the thread LWP of this stop.  Returns ompd_rc_ok; ompd_rc_unavailable; as
 * found_threads_take. */
ompd_rc_t found_thread_view(struct address_space *space, uint64_t lwp,
                            const struct found_thread **thread);

/* Open the list of what the thread of IDENTIFIER, which has a handle, is in: see
 * ompd_cl_object_list_open. */
ompd_rc_t found_activity_list_open(struct address_space *space, struct identifier identifier,
                                   ompd_cl_list_t *list);

#endif
