/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout as text. */
#ifndef OMPD_HOST_LEARN_WRITE_H
#define OMPD_HOST_LEARN_WRITE_H

#include <host/learn/draft.h>
#include <host/learn/icd.h>

/* Tell the lines of the layout that DRAFT has come to. */
void layout_write(const struct draft *draft, const struct icd *icd);

#endif
