/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values of fields, as the recorder tells them. */
#ifndef LIBOMPD_VALUE_H
#define LIBOMPD_VALUE_H

#include "base/export.h"

#include <ompd-opencl.h>

/* Set *VALUE to a fact from the recorder. */
void value_set(ompd_cl_value_t *value, uint64_t number);

/* Set *VALUE to none, for the reason STATUS. */
void value_set_status(ompd_cl_value_t *value, uint16_t status);

#endif
