/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of any kind, by their description alone. */
#include "sources/address-space.h"

#include "kinds/kinds.h"

#include <string.h>

/* Larger structs than any version will have. */
#define MAX_STRUCT_SIZE 65536

bool row_size_is_good(uint32_t kind, ompd_size_t struct_size)
{
    uint32_t least = kind_find(kind)->first_offset;

    return struct_size >= least && struct_size <= MAX_STRUCT_SIZE && struct_size % 8 == 0;
}

ompd_rc_t row_check(struct address_space *space, uint32_t kind, const void *info,
                    ompd_size_t *struct_size)
{
    if (info == NULL)
        return address_space_refuse_null(space, "the info");
    memcpy(struct_size, info, sizeof(*struct_size));
    if (!row_size_is_good(kind, *struct_size))
        return address_space_fail(space, ompd_rc_bad_input, "struct_size of the info is not set.");
    return ompd_rc_ok;
}

void row_copy_to_tool(uint32_t kind, const void *info, void *row, ompd_size_t struct_size)
{
    size_t known = kind_find(kind)->struct_size;
    size_t size = (size_t)struct_size;

    memcpy(row, info, size < known ? size : known);
    if (size > known)
        memset((char *)row + known, 0, size - known);
    memcpy(row, &struct_size, sizeof(struct_size));
}

/* The field at OFFSET of INFO if its value is known, else NULL. */
static const ompd_cl_value_t *known_value(const void *info, uint32_t offset)
{
    const ompd_cl_value_t *value;

    if (offset == FIELD_NONE)
        return NULL;
    value = (const ompd_cl_value_t *)(const void *)((const char *)info + offset);
    if (value->status != ompd_cl_status_value && value->status != ompd_cl_status_presumed)
        return NULL;
    return value;
}

static bool is_in_set(const ompd_cl_value_t *value, uint64_t set)
{
    return value == NULL || set == 0 || (value->value < 64 && (set >> value->value & 1) != 0);
}

bool row_passes(uint32_t kind, const void *info, const ompd_cl_filter_t *filter)
{
    const struct kind *found = kind_find(kind);
    const ompd_cl_value_t *context = known_value(info, found->context_offset);
    const ompd_cl_value_t *size = known_value(info, found->size_offset);
    const ompd_cl_value_t *queue = known_value(info, found->queue_offset);

    if (filter->context != 0 && context != NULL && context->value != filter->context)
        return false;
    if (size != NULL && size->value < filter->min_size)
        return false;
    if (filter->queue != 0 && queue != NULL && queue->value != filter->queue)
        return false;
    return is_in_set(known_value(info, found->kind_offset), filter->kinds) &&
           is_in_set(known_value(info, found->state_offset), filter->states);
}
