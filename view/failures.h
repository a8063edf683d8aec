/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Why commands never run: who has set the user event that they wait for to an error. */
#ifndef OMPD_VIEW_FAILURES_H
#define OMPD_VIEW_FAILURES_H

#include <view/list.h>

/* Write a sentence for each such event and call, of the commands, or errors, by KIND, that meet
 * FILTER; of rows of other kinds none: "Command 1 of command queue 0x1f never ran: user event 0x2f,
 * which it waits for, was set to -1 at load at app.c:9 by LWP 4711." */
void view_failures_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

#endif
