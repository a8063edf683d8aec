/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about callbacks that are to run and have no code. */
#ifndef LIBOMPD_CALLBACK_CODE_H
#define LIBOMPD_CALLBACK_CODE_H

#include "findings/taking.h"

/* Returns as taking_walk. */
ompd_rc_t callback_code_check(struct taking *taking);

#endif
