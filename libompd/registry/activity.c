/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "registry/activity.h"

#include "registry/call-names.h"

#include <ompd-opencl-calls.h>

#define WAITS_FOR_EVENTS (ompd_cl_call_clWaitForEvents | OMPD_CL_REGISTRY_ACTIVITY_WAITS)

#define WORD_SIZE 8 /* bytes of an element of the arrays beside that of activities */

uint32_t activity_room(const struct registry_table *table)
{
    return table->locations[ompd_cl_registry_field_activities].size /
           sizeof(struct ompd_cl_registry_activity);
}

bool activity_has_time(const struct activity *activity)
{
    return call_is_callback(activity->what) ||
           (activity->what & OMPD_CL_REGISTRY_ACTIVITY_WAITS) != 0;
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
    struct activity activity = activity_decode(
        registry->target, first + number * sizeof(struct ompd_cl_registry_activity));

    if (activity.what == WAITS_FOR_EVENTS && activity.reference != 0) {
        activity.list = registry_get_element(registry, table, record, ompd_cl_registry_field_lists,
                                             number, WORD_SIZE);
        activity.list_count = activity.list != 0 ? activity.reference : 0;
    }
    if (activity_has_time(&activity))
        activity.began = registry_get_element(registry, table, record, ompd_cl_registry_field_times,
                                              number, WORD_SIZE);
    return activity;
}

ompd_rc_t activity_event_get(struct target *target, const struct activity *activity, uint32_t index,
                             uint64_t *handle)
{
    const uint8_t *bytes;
    ompd_rc_t rc = target_view(target, activity->list + (uint64_t)index * target->pointer_size,
                               target->pointer_size, 0, &bytes);

    if (rc == ompd_rc_ok)
        *handle = target_integer(target, bytes, target->pointer_size);
    return rc;
}
