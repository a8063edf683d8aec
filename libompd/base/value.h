/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values of fields: the number, what is known of it, and who says so. */
#ifndef LIBOMPD_VALUE_H
#define LIBOMPD_VALUE_H

#include "base/export.h"

#include <ompd-opencl.h>

/* Set *VALUE to NUMBER as SOURCE tells it, with the status value or presumed; or to none, for the
 * reason STATUS, the number being 0. */
static inline void value_set(ompd_cl_value_t *value, ompd_cl_source_t source, uint16_t status,
                             uint64_t number)
{
    *value = (ompd_cl_value_t){number, status, (uint16_t)source, 0};
}

/* Set *VALUE to a fact that has no source in the target. */
static inline void plain_value_set(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_none, ompd_cl_status_value, number);
}

static inline void plain_value_lack(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_none, status, 0);
}

/* Set *VALUE to a fact from the recorder, or to none. */
static inline void recorder_value_set(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_recorder, ompd_cl_status_value, number);
}

static inline void recorder_value_lack(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_recorder, status, 0);
}

/* Set *VALUE to what a layout shows, with the status value or presumed, or to none. */
static inline void layout_value_set(ompd_cl_value_t *value, uint64_t number, uint16_t status)
{
    value_set(value, ompd_cl_source_layout, status, number);
}

static inline void layout_value_lack(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_layout, status, 0);
}

#endif
