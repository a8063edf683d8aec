/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an image that a layout tells of is, and which of its extents it has. */
#ifndef LIBOMPD_LAYOUT_IMAGE_H
#define LIBOMPD_LAYOUT_IMAGE_H

#include <ompd-opencl.h>

/* Where the runtime does not keep a type, an image's extent tells it, mostly: set the kind of INFO
 * then. */
void layout_image_guess_kind(ompd_cl_memobj_info_t *info);

/* Of the extents of INFO, whose kind is set, leave what such an image has: what it has not is
 * whatever the runtime left there, and what is not known of the kind is not of them. */
void layout_image_settle(ompd_cl_memobj_info_t *info);

#endif
