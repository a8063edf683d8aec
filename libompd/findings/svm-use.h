/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about SVM allocations that enqueued commands free: twice, or before a command that uses
 * a memory object over them. */
#ifndef LIBOMPD_SVM_USE_H
#define LIBOMPD_SVM_USE_H

#include "findings/taking.h"

/* Without the recorder, what is freed twice alone, where a layout tells it.  Returns as
 * taking_walk. */
ompd_rc_t svm_use_check(struct taking *taking);

#endif
