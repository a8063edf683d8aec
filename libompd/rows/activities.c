/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows/activities.h"

#include "lists/object.h"
#include "registry/call-names.h"
#include "rows/recorder-rows.h"

uint32_t activity_room(const struct registry_table *table)
{
    return table->places[ompd_cl_registry_field_activities].size /
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

/* Activity NUMBER, from 0, the outermost, and below activity_room, of the thread with RECORD. */
static struct activity get_activity(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record,
                                    uint32_t number)
{
    const uint8_t *first = record + table->places[ompd_cl_registry_field_activities].offset;

    return activity_decode(registry->target,
                           first + number * sizeof(struct ompd_cl_registry_activity));
}

/* Set what is known of ACTIVITY.  What this library does not know may be a newer recorder's, whose
 * registry has the same shape; any other cannot be. */
static ompd_rc_t describe(const struct registry *registry, const struct activity *activity,
                          ompd_cl_value_t *state, ompd_cl_value_t *call, ompd_cl_value_t *handle)
{
    uint32_t known = call_state(activity->what);

    if (known == 0 && registry->minor <= OMPD_CL_REGISTRY_MINOR) {
        value_set_status(state, ompd_cl_status_corrupt);
        value_set_status(call, ompd_cl_status_corrupt);
        value_set_status(handle, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (known != 0)
        value_set(state, known);
    else
        value_set_status(state, ompd_cl_status_unknown);
    if (call_is_callback(activity->what))
        value_set_status(call, ompd_cl_status_not_applicable);
    else if (known != 0)
        value_set(call, OMPD_CL_REGISTRY_ACTIVITY_WHAT(activity->what));
    else
        value_set_status(call, ompd_cl_status_unknown);
    if (activity->handle != 0)
        value_set(handle, activity->handle);
    else
        value_set_status(handle, ompd_cl_status_not_applicable);
    return ompd_rc_ok;
}

static void set_all(ompd_cl_thread_info_t *info, uint16_t status)
{
    value_set_status(&info->state, status);
    value_set_status(&info->call, status);
    value_set_status(&info->handle, status);
}

ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info)
{
    uint64_t depth = info->depth.value;
    struct activity activity;

    if (depth > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT) {
        value_set_status(&info->depth, ompd_cl_status_corrupt);
        set_all(info, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (info->depth.status != ompd_cl_status_value || depth > activity_room(table)) {
        set_all(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    if (depth == 0) {
        set_all(info, ompd_cl_status_not_applicable);
        value_set(&info->state, ompd_cl_state_outside);
        return ompd_rc_ok;
    }
    activity = get_activity(registry, table, record, (uint32_t)depth - 1);
    return describe(registry, &activity, &info->state, &info->call, &info->handle);
}

static void set_callback_status(ompd_cl_activity_info_t *info, uint16_t status)
{
    value_set_status(&info->function, status);
    value_set_status(&info->user_data, status);
}

/*
 * Set the function of the callback that ACTIVITY, of the thread LWP, is.  A reference has no
 * generation: the record is the callback's only while it says that this thread runs it.
 */
static ompd_rc_t fill_callback(struct registry *registry, const struct activity *activity,
                               uint32_t lwp, ompd_cl_activity_info_t *info)
{
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(activity->reference);
    uint32_t expected = activity->what == ompd_cl_registry_runs_destructor
                            ? ompd_cl_registry_callback
                            : ompd_cl_registry_svm_free;
    struct registry_table *table = &registry->tables[expected];
    const uint8_t *record;
    ompd_rc_t rc;

    if (activity->reference == 0) {
        set_callback_status(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    rc = id == expected
             ? registry_record_view(registry, table,
                                    OMPD_CL_REGISTRY_REFERENCE_INDEX(activity->reference), &record)
             : ompd_rc_error;
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        set_callback_status(info, rc == ompd_rc_incomplete ? registry->target->failure
                                                           : ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (registry_get(registry, table, record, ompd_cl_registry_field_run) !=
        OMPD_CL_REGISTRY_RUN(lwp, ompd_cl_registry_running)) {
        set_callback_status(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    value_set(&info->function,
              registry_get(registry, table, record, ompd_cl_registry_field_function));
    value_set(&info->user_data,
              registry_get(registry, table, record, ompd_cl_registry_field_user_data));
    return ompd_rc_ok;
}

static ompd_rc_t fill_row(struct registry *registry, const struct activity *activity, uint32_t lwp,
                          ompd_cl_activity_info_t *info)
{
    ompd_rc_t described;
    ompd_rc_t rc = ompd_rc_ok;

    value_set(&info->source, ompd_cl_source_recorder);
    described = describe(registry, activity, &info->state, &info->call, &info->handle);
    if (call_is_callback(activity->what))
        rc = fill_callback(registry, activity, lwp, info);
    else
        set_callback_status(info, info->call.status == ompd_cl_status_value
                                      ? ompd_cl_status_not_applicable
                                      : info->call.status);
    return rc == ompd_rc_ok ? described : rc;
}

/* Settle how many activities of the thread with RECORD are still to come of LIST: it may have left
 * some since. */
static void count_left(const struct registry *registry, struct list *list,
                       const struct registry_table *table, const uint8_t *record)
{
    uint64_t count = registry_get(registry, table, record, ompd_cl_registry_field_activity_count);

    if (count > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT) {
        list_refuse(list, list->activities.left,
                    "the recorder's registry is corrupt: a thread is in more calls than can be.");
        list->activities.left = 0;
        return;
    }
    if (list->activities.left > count)
        list->activities.left = (uint32_t)count;
}

static ompd_rc_t give_activities(struct address_space *space, struct list *list,
                                 struct batch *batch)
{
    struct registry *registry = &space->registry;
    struct registry_table *table = &registry->tables[ompd_cl_registry_thread];
    struct list_activities *activities = &list->activities;
    const uint8_t *record;
    uint32_t lwp;
    ompd_rc_t rc;

    rc = address_space_read_registry(space);
    if (rc != ompd_rc_ok || activities->left == 0)
        return rc;
    rc = registry_record_view(registry, table, activities->thread, &record);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        list_refuse(list, activities->left, NULL);
        activities->left = 0;
        return ompd_rc_ok;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) !=
            activities->generation) {
        activities->left = 0;
        return ompd_rc_ok;
    }
    record = address_space_keep(space, table, record);
    lwp = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_lwp);
    count_left(registry, list, table, record);
    while (batch->count < batch->capacity && activities->left != 0) {
        struct activity activity = get_activity(registry, table, record, activities->left - 1);
        union row local;
        ompd_cl_activity_info_t *info = batch_place(batch, &local);

        rc = fill_row(registry, &activity, lwp, info);
        if (rc == ompd_rc_nomem)
            return rc;
        batch_give(list, batch, info, rc);
        activities->left--;
    }
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_activity_list_open(ompd_address_space_handle_t *handle,
                                            ompd_cl_thread_id_t thread, ompd_cl_list_t *id)
{
    struct address_space *space;
    struct registry_table *table;
    struct identifier identifier;
    const uint8_t *record;
    struct list *list;
    uint64_t count;
    uint32_t room;
    ompd_rc_t rc;

    rc = object_enter(handle, ompd_cl_kind_thread, thread.id, &space, &identifier, &record);
    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    table = &space->registry.tables[ompd_cl_registry_thread];
    count = registry_get(&space->registry, table, record, ompd_cl_registry_field_activity_count);
    room = activity_room(table);
    list = list_open(space, ompd_cl_kind_activity, give_activities, id);
    if (list == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    list->activities.thread = identifier.index;
    list->activities.generation = identifier.generation;
    list->activities.left = count < room ? (uint32_t)count : room;
    if (count > room && count <= OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT)
        list_refuse(list, count - room,
                    "the thread is in more calls and callbacks than the recorder keeps: the "
                    "innermost are missing.");
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_activity_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                            ompd_size_t capacity, ompd_cl_activity_info_t *rows,
                                            ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_activity, capacity, rows, count, unreadable);
}
