/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout as text. */
#ifndef OMPD_LEARN_WRITE_H
#define OMPD_LEARN_WRITE_H

#include <learn/base/base.h>
#include <learn/search/search.h>

/* Tell the lines of the layout that DRAFT has come to. */
void layout_write(const struct layout_draft *draft, const struct icd *icd);

#endif
