/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fields of a memory object that only images have. */
#ifndef LIBOMPD_IMAGE_FIELDS_H
#define LIBOMPD_IMAGE_FIELDS_H

#include "base/export.h"

#include <ompd-opencl.h>

/* Set those of INFO to none, for the reason STATUS. */
void image_fields_set_status(ompd_cl_memobj_info_t *info, uint16_t status);

#endif
