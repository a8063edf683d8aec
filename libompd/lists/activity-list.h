/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one thread is in. */
#ifndef LIBOMPD_ACTIVITY_LIST_H
#define LIBOMPD_ACTIVITY_LIST_H

#include "session/address-space.h"

/* Open the list of the activities of the thread with id THREAD: see ompd_cl_object_list_open. */
ompd_rc_t activity_list_open(struct address_space *space, uint64_t thread, ompd_cl_list_t *id);

#endif
