/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs whose last build has failed. */
#ifndef LIBOMPD_BUILDS_H
#define LIBOMPD_BUILDS_H

#include "findings/taking.h"

/* Keep a finding for each.  Returns ompd_rc_ok, or why it could not go on. */
ompd_rc_t builds_check(struct taking *taking);

#endif
