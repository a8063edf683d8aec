/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of all objects of a kind, from all sources. */
#ifndef LIBOMPD_OBJECT_LIST_H
#define LIBOMPD_OBJECT_LIST_H

#include "lists/list.h"

/* Open a list of all objects of KIND.  FILTER may be NULL. */
ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id);

#endif
