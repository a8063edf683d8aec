/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about SVM allocations that were freed while a command of a kernel uses them. */
#ifndef LIBOMPD_SVM_KERNELS_H
#define LIBOMPD_SVM_KERNELS_H

#include "findings/taking.h"

/* Needs the recorder.  Returns as taking_walk. */
ompd_rc_t svm_kernels_check(struct taking *taking);

#endif
