/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of threads that are in OpenCL, as their stacks show. */
#ifndef LIBOMPD_STACK_ROWS_H
#define LIBOMPD_STACK_ROWS_H

#include "session/address-space.h"
#include "session/kept-threads.h"

/* Fill INFO with what is presumed of THREAD, of SPACE. */
void stack_thread_fill(struct address_space *space, const struct found_thread *thread,
                       ompd_cl_thread_info_t *info);

/* Fill INFO with activity NUMBER of THREAD, of SPACE, from 0, the innermost. */
void stack_activity_fill(struct address_space *space, const struct found_thread *thread,
                         uint32_t number, ompd_cl_activity_info_t *info);

#endif
