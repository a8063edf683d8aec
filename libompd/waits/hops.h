/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads and queues wait for at this stop, hop by hop. */
#ifndef LIBOMPD_HOPS_H
#define LIBOMPD_HOPS_H

#include "session/address-space.h"

/* Open the list of all hops: see ompd_cl_list_open. */
ompd_rc_t hop_list_open(struct address_space *space, ompd_cl_list_t *list);

#endif
