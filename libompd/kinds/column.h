/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which member of an info struct a source keeps in which field of its own. */
#ifndef LIBOMPD_COLUMN_H
#define LIBOMPD_COLUMN_H

#include "base/export.h"

#include <stdint.h>

struct column {
    uint16_t to;            /* offset of the ompd_cl_value_t */
    uint8_t field;          /* enum ompd_cl_registry_field_id, or enum layout_field */
    uint8_t status_of_zero; /* what it means that the field is 0; ompd_cl_status_value: just that */
};

#endif
