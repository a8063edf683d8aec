/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one table of fields, and what follows from it for any info struct. */
#ifndef LIBOMPD_FIELDS_H
#define LIBOMPD_FIELDS_H

#include "base/export.h"

#include <ompd-opencl.h>

#include <stdbool.h>

#define FIELD_NONE UINT32_MAX

/* A kind of row. */
struct kind {
    const char *name;
    const ompd_cl_field_t *fields;
    uint32_t field_count;
    uint32_t struct_size;
    /* Offsets of the fields that a filter looks at, FIELD_NONE where there is none. */
    uint32_t context_offset;
    uint32_t kind_offset;
    uint32_t state_offset;
    uint32_t size_offset;
    uint32_t queue_offset;
};

/* The description of KIND, NULL for one that is not known. */
const struct kind *kind_find(uint32_t kind);

/* The field NAME of ROW of KIND; NULL when it has none. */
const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name);

#endif
