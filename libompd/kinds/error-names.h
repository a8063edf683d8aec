/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of errors (OpenCL 3.0 appendix F, and extensions). */
#ifndef LIBOMPD_ERROR_NAMES_H
#define LIBOMPD_ERROR_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define ERROR_NAME_COUNT 87

extern const ompd_cl_name_t error_names[ERROR_NAME_COUNT];

#endif
