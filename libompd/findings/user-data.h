/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks that are to be called with user data that is gone. */
#ifndef LIBOMPD_USER_DATA_H
#define LIBOMPD_USER_DATA_H

#include "findings/taking.h"

/* Keep what is found of user data that the recorder saw to be of the program's stack or heap: what
 * it has not seen need not be a pointer.  Returns as taking_walk. */
ompd_rc_t user_data_check(struct taking *taking);

#endif
