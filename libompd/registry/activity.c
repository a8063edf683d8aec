/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "registry/activity.h"

uint32_t activity_room(const struct registry_table *table)
{
    return table->locations[ompd_cl_registry_field_activities].size /
           sizeof(struct ompd_cl_registry_activity);
}

struct activity activity_decode(const struct target *target, const uint8_t *bytes)
{
    return (struct activity){
        .what = (uint32_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, what),
        .reference = (uint32_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, reference),
        .handle = TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, handle),
    };
}

struct activity activity_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number)
{
    const uint8_t *first = record + table->locations[ompd_cl_registry_field_activities].offset;

    return activity_decode(registry->target,
                           first + number * sizeof(struct ompd_cl_registry_activity));
}
