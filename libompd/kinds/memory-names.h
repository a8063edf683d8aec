/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of what memory objects and SVM allocations are, and how they were made. */
#ifndef LIBOMPD_MEMORY_NAMES_H
#define LIBOMPD_MEMORY_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define MEMOBJ_KIND_COUNT 9
#define MEM_FLAG_COUNT 12

extern const ompd_cl_name_t memobj_kind_names[MEMOBJ_KIND_COUNT]; /* ompd_cl_memobj_kind_t */
extern const ompd_cl_name_t mem_flag_names[MEM_FLAG_COUNT]; /* cl_mem_flags, cl_svm_mem_flags */

#endif
