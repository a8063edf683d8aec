/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of the places that have the cl handle of an object. */
#ifndef LIBOMPD_HOLDER_LIST_H
#define LIBOMPD_HOLDER_LIST_H

#include "lists/list.h"

/* Open the list of the places that have the handle of OBJECT, an id: see
 * ompd_cl_object_list_open. */
ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *list);

#endif
