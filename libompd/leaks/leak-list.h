/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the program leaves. */
#ifndef LIBOMPD_LEAK_LIST_H
#define LIBOMPD_LEAK_LIST_H

#include "session/address-space.h"

/* Open the list of leaks: see ompd_cl_list_open. */
ompd_rc_t leak_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

#endif
