/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is in the target, for whoever describes it in short. */
#ifndef OMPD_VIEW_OVERVIEW_H
#define OMPD_VIEW_OVERVIEW_H

#include <view/row.h>

/* Add "1 context, 2 queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB)". */
void view_overview_counts(const struct view_row *overview, struct text *text);

#endif
