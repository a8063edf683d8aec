/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of what has a handle. */
#ifndef LIBOMPD_HOLDER_NAMES_H
#define LIBOMPD_HOLDER_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define STORAGE_NAME_COUNT 10

extern const ompd_cl_name_t storage_names[STORAGE_NAME_COUNT];

#endif
