/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that were enqueued with a memory object that was gone. */
#ifndef LIBOMPD_GONE_ARGUMENTS_H
#define LIBOMPD_GONE_ARGUMENTS_H

#include "findings/taking.h"

/* Returns as findings_take. */
ompd_rc_t gone_arguments_check(struct taking *taking);

#endif
