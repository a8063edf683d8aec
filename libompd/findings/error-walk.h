/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A walk through the mistakes that the recorder noted with the calls that made them. */
#ifndef LIBOMPD_ERROR_WALK_H
#define LIBOMPD_ERROR_WALK_H

#include "findings/taking.h"

/*
 * Have VISIT look at all errors that the recorder keeps; none where it keeps none.  Where earlier
 * ones are not kept any more, what VISIT has found was so often at least.  Returns as taking_walk.
 */
ompd_rc_t error_walk(struct taking *taking, row_visit_t visit);

#endif
