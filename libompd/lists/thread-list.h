/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that have entered OpenCL: those that the recorder keeps, or else those whose stacks show
 * that they are in it. */
#ifndef LIBOMPD_THREAD_LIST_H
#define LIBOMPD_THREAD_LIST_H

#include "lists/list.h"
#include "session/identifier.h"

/* Have the records of threads read.  Also returns ompd_rc_unavailable when the recorder keeps
 * none. */
ompd_rc_t threads_need(struct address_space *space);

/* Have threads, of whichever source: *ARE_RECORDED tells which.  Where there is a recorder it alone
 * is asked.  Returns as threads_need. */
ompd_rc_t threads_open(struct address_space *space, bool *are_recorded);

/* Find the id of the thread with LWP: see ompd_cl_object_find. */
ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id);

/* Open the list of threads: see ompd_cl_list_open. */
ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* Describe in INFO the thread that IDENTIFIER, which has a handle, was given out for. */
ompd_rc_t found_thread_get(struct address_space *space, struct identifier identifier,
                           ompd_cl_thread_info_t *info);

/* Open the list of what it is in: see ompd_cl_object_list_open. */
ompd_rc_t found_activity_list_open(struct address_space *space, struct identifier identifier,
                                   ompd_cl_list_t *list);

#endif
