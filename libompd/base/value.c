/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/value.h"

void value_set(ompd_cl_value_t *value, uint64_t number)
{
    value->value = number;
    value->status = ompd_cl_status_value;
    value->source = ompd_cl_source_recorder;
    value->lwp = 0;
}

void value_set_status(ompd_cl_value_t *value, uint16_t status)
{
    value->value = 0;
    value->status = status;
    value->source = ompd_cl_source_recorder;
    value->lwp = 0;
}
