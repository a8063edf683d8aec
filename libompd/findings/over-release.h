/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about objects that were released when they had no references left. */
#ifndef LIBOMPD_OVER_RELEASE_H
#define LIBOMPD_OVER_RELEASE_H

#include "findings/taking.h"

/* Keep a finding for each that the recorder keeps, and one for those that it counts alone.
 * Returns ompd_rc_ok, or why it could not go on. */
ompd_rc_t over_release_check(struct taking *taking);

#endif
