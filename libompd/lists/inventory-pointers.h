/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of what one SVM-free command frees and waits for, as layouts show it. */
#ifndef LIBOMPD_INVENTORY_POINTERS_H
#define LIBOMPD_INVENTORY_POINTERS_H

#include "lists/list.h"

/* Open a list of the pointers that the SVM-free command with the event HANDLE frees. */
ompd_rc_t inventory_pointers_open(struct address_space *space, uint64_t handle, ompd_cl_list_t *id);

/* Open a list of what an SVM-free command waits for: layouts do not tell, so that it is incomplete
 * and says why. */
ompd_rc_t inventory_waits_open(struct address_space *space, ompd_cl_list_t *id);

#endif
