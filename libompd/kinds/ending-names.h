/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of how objects end. */
#ifndef LIBOMPD_ENDING_NAMES_H
#define LIBOMPD_ENDING_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define ENDING_NAME_COUNT 4

extern const ompd_cl_name_t ending_names[ENDING_NAME_COUNT];

#endif
