/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the program has used after it had released it, and user events that it has set twice. */
#ifndef LIBOMPD_MISUSE_H
#define LIBOMPD_MISUSE_H

#include "findings/taking.h"

/* Look through the last calls that were refused or that were a mistake.  Returns ompd_rc_ok;
 * ompd_rc_nomem and other final ones. */
ompd_rc_t misuse_check(struct taking *taking);

#endif
