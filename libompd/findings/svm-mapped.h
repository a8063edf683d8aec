/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM allocations that were freed while they were mapped. */
#ifndef LIBOMPD_SVM_MAPPED_H
#define LIBOMPD_SVM_MAPPED_H

#include "findings/taking.h"

/* Keep a finding for each that the recorder still tells of.  Returns ompd_rc_ok, or why it could
 * not go on. */
ompd_rc_t svm_mapped_check(struct taking *taking);

#endif
