/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

void image_fields_set_status(ompd_cl_memobj_info_t *info, uint16_t status)
{
    ompd_cl_value_t *const values[] = {
        &info->width,     &info->height,        &info->depth,        &info->array_size,
        &info->row_pitch, &info->channel_order, &info->channel_type,
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        recorder_value_lack(values[i], status);
}
