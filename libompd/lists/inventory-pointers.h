/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of what one SVM-free command frees and waits for, as layouts show it. */
#ifndef LIBOMPD_INVENTORY_POINTERS_H
#define LIBOMPD_INVENTORY_POINTERS_H

#include "lists/list.h"

/* Open a list of the pointers that the SVM-free command with the event HANDLE frees. */
ompd_rc_t inventory_pointers_open(struct address_space *space, uint64_t handle, ompd_cl_list_t *id);

/* Open a list of rows of KIND that layouts do not tell: of what a command waits for, or a program's
 * release callbacks.  It has none, is incomplete and says why. */
ompd_rc_t inventory_untold_open(struct address_space *space, uint32_t kind, ompd_cl_list_t *id);

#endif
