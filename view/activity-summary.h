/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes on in the target: callbacks, SVM frees, objects that only the runtime still holds. */
#ifndef OMPD_VIEW_ACTIVITY_SUMMARY_H
#define OMPD_VIEW_ACTIVITY_SUMMARY_H

#include <view/row.h>
#include <view/view.h>

/* Add "1 destructor callback is running (LWP 4711), 1 SVM free is enqueued behind event 0x55d0", of
 * the target whose OVERVIEW this is; nothing when nothing is going on. */
void view_activity_summary_add(ompd_view_t *view, const struct view_row *overview,
                               struct text *text);

#endif
