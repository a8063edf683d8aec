/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that have entered OpenCL: those that the recorder keeps, or else those whose stacks show
 * that they are in it. */
#ifndef LIBOMPD_THREAD_LIST_H
#define LIBOMPD_THREAD_LIST_H

#include "lists/list.h"
#include "session/identifier.h"

/* Find the id of the thread with LWP: see ompd_cl_object_find. */
ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id);

/* Open the list of threads: see ompd_cl_list_open. */
ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

#endif
