/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a layout's fields would hold if there were an object of a kind at a hit of the scan. */
#ifndef LIBOMPD_HIT_FIELD_H
#define LIBOMPD_HIT_FIELD_H

#include "layout/layout.h"
#include "target/scan.h"

/* Tell whether an object that may lack the field of CONDITION has it; false too where the bytes
 * that tell are not there. */
static inline bool hit_has_field(struct target *target, const struct scan_hit *hit,
                                 const struct layout_condition *condition)
{
    uint64_t number;

    return scan_hit_number(target, hit, condition->rule.offset, condition->rule.width, &number) &&
           layout_condition_holds(condition, number);
}

/* A field that needs no hop; false where the layout has none such. */
static inline bool hit_read_field(struct target *target, const struct scan_hit *hit,
                                  const struct layout_object *object, enum layout_field field,
                                  uint64_t *value)
{
    const struct layout_location *location = &object->fields[field];
    const struct layout_condition *condition = &object->when[field];

    if (location->width == 0 || location->path.count != 1 ||
        !scan_hit_number(target, hit, location->path.offsets[0], location->width, value))
        return false;
    if (condition->rule.width != 0 && !hit_has_field(target, hit, condition))
        *value = 0;
    return true;
}

/* A field that holds a cl handle.  0 stays 0. */
static inline bool hit_read_handle(struct target *target, const struct scan_hit *hit,
                                   const struct layout_object *object, enum layout_field field,
                                   uint64_t *handle)
{
    const struct layout_location *location = &object->fields[field];

    if (!hit_read_field(target, hit, object, field, handle))
        return false;
    if (*handle != 0)
        *handle += (uint64_t)(int64_t)location->adjust;
    if (target->pointer_size == sizeof(uint32_t))
        *handle = (uint32_t)*handle;
    return true;
}

#endif
