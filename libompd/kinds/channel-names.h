/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of an image's channels (OpenCL 3.0 section 5.3.1.1). */
#ifndef LIBOMPD_CHANNEL_NAMES_H
#define LIBOMPD_CHANNEL_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define CHANNEL_ORDER_COUNT 20
#define CHANNEL_TYPE_COUNT 17

extern const ompd_cl_name_t channel_order_names[CHANNEL_ORDER_COUNT]; /* cl_channel_order */
extern const ompd_cl_name_t channel_type_names[CHANNEL_TYPE_COUNT];   /* cl_channel_type */

#endif
