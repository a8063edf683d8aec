/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of cl_command_type (OpenCL 3.0 section 5.11, and extensions), without CL_COMMAND_. */
#ifndef LIBOMPD_COMMAND_NAMES_H
#define LIBOMPD_COMMAND_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define COMMAND_TYPE_COUNT 63

extern const ompd_cl_name_t command_type_names[COMMAND_TYPE_COUNT];

#endif
