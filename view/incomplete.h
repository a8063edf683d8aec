/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nobody is left with an exit code alone: an answer that is not whole says why. */
#ifndef OMPD_VIEW_INCOMPLETE_H
#define OMPD_VIEW_INCOMPLETE_H

#include <view/view.h>

/* The command has ended: write that where part of its answer is missing and no note has said so. */
void view_incomplete_tell(ompd_view_t *view);

#endif
