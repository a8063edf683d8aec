/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about objects of which the runtime has something else than the recorder has seen. */
#ifndef LIBOMPD_RUNTIME_DIFFERS_H
#define LIBOMPD_RUNTIME_DIFFERS_H

#include "findings/taking.h"

/* Returns as taking_walk. */
ompd_rc_t runtime_differs_check(struct taking *taking);

#endif
