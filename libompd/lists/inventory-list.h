/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of what layouts find. */
#ifndef LIBOMPD_INVENTORY_LIST_H
#define LIBOMPD_INVENTORY_LIST_H

#include "lists/list.h"
#include "session/item-source.h"

/* Views of the target for the lists of all objects together, beyond which a question about them all
 * is given up: law 6.  Each list has a bound of its own, but many objects can seem to share one. */
#define LIST_VIEW_LIMIT (UINT64_C(1) << 24)

/* The object that LIST is of was not found at this stop.  Returns ompd_rc_stale_handle when it is
 * gone; ompd_rc_ok when it may be where memory could not be read, which the list then says. */
ompd_rc_t inventory_owner_miss(struct address_space *space, struct list *list);

/* Gives what of all objects of the list's kind the recorder does not have. */
ompd_rc_t inventory_list_give(struct address_space *space, struct list *list, struct batch *batch);

/* Open a list of the destructor callbacks of the object with HANDLE. */
ompd_rc_t inventory_destructors_open(struct address_space *space, uint64_t handle,
                                     ompd_cl_list_t *id);

#endif
