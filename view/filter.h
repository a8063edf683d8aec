/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The filters of the command line as the library takes them. */
#ifndef OMPD_VIEW_FILTER_H
#define OMPD_VIEW_FILTER_H

#include <view/row.h>
#include <view/view.h>

/* The conditions of the view's options on rows of KIND.  False: they make no sense, or the
 * OpenCL context that they name is not there. */
bool view_filter_get(ompd_view_t *view, const struct view_kind *kind, ompd_cl_filter_t *filter);

#endif
