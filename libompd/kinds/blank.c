/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

#include <string.h>

void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status)
{
    const struct kind *found = kind_find(kind);

    memset(info, 0, found->struct_size);
    for (uint32_t i = 0; i < found->field_count; i++) {
        void *field = (char *)info + found->fields[i].offset;

        if (found->fields[i].type == ompd_cl_type_text) {
            ((ompd_cl_text_t *)field)->status = status;
            ((ompd_cl_text_t *)field)->source = (uint16_t)source;
        } else {
            value_set(field, source, status, 0);
        }
    }
}
