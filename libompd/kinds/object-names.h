/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of what is said of objects of several kinds. */
#ifndef LIBOMPD_OBJECT_NAMES_H
#define LIBOMPD_OBJECT_NAMES_H

#include "base/export.h"

#include <ompd-opencl.h>

#define STATE_NAME_COUNT 3
#define SOURCE_NAME_COUNT 3
#define CONFIDENCE_NAME_COUNT 3
#define DOUBT_NAME_COUNT 8
#define OWNED_KIND_COUNT 8
#define USER_DATA_PLACE_COUNT 3

extern const ompd_cl_name_t state_names[STATE_NAME_COUNT];
extern const ompd_cl_name_t source_names[SOURCE_NAME_COUNT];
extern const ompd_cl_name_t confidence_names[CONFIDENCE_NAME_COUNT];
extern const ompd_cl_name_t doubt_names[DOUBT_NAME_COUNT];
/* The kinds of what a program makes and releases: of ompd_cl_kind_t. */
extern const ompd_cl_name_t owned_kind_names[OWNED_KIND_COUNT];
extern const ompd_cl_name_t user_data_place_names[USER_DATA_PLACE_COUNT];

#endif
