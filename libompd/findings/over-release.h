/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about objects that were released when they had no references left. */
#ifndef LIBOMPD_OVER_RELEASE_H
#define LIBOMPD_OVER_RELEASE_H

#include "findings/taking.h"

/* Keep a finding for each that the recorder keeps, and one for those that it counts alone.
 * Returns ompd_rc_ok, or why it could not go on. */
ompd_rc_t over_release_check(struct taking *taking);

/* The kind of the objects that CALL releases; 0: of none that is known. */
uint32_t release_kind(uint64_t call);

#endif
