/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The calls and callbacks that a thread is in, as rows. */
#include "answers/answers.h"

/* Update the number of remaining activities in LIST of the thread with RECORD, which may have left
 * some. */
static void update_activities_left(const struct registry *registry, struct list *list,
                                   const struct registry_table *table, const uint8_t *record)
{
    uint64_t count = activity_count_held(registry, table, record);

    if (count > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT) {
        list_note_lost(
            list, list->activities.left,
            "the recorder's registry is corrupt: a thread is in an impossible number of calls.");
        list->activities.left = 0;
        return;
    }
    if (list->activities.left > count)
        list->activities.left = (uint32_t)count;
}

static ompd_rc_t fill_activities(struct address_space *space, struct list *list,
                                 struct batch *batch)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[ompd_cl_registry_thread];
    struct list_activities *activities = &list->activities;
    const uint8_t *record;
    uint32_t lwp;
    ompd_rc_t rc;

    rc = recorder_source_read(space);
    if (rc != ompd_rc_ok || activities->left == 0)
        return rc;
    rc = registry_record_view(registry, table, activities->thread, &record);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        list_note_lost(list, activities->left, NULL);
        activities->left = 0;
        return ompd_rc_ok;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) !=
            activities->generation) {
        activities->left = 0;
        return ompd_rc_ok;
    }
    record = recorder_source_copy(space, table, record);
    lwp = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_lwp);
    update_activities_left(registry, list, table, record);
    while (batch->count < batch->capacity && activities->left != 0) {
        struct activity activity = activity_get(registry, table, record, activities->left - 1);
        union row local;
        ompd_cl_activity_info_t *info = batch_row(batch, &local);

        rc = activity_row_fill(registry, &activity, lwp, info);
        if (rc_is_final(rc))
            return rc;
        batch_add(list, batch, info, rc);
        activities->left--;
    }
    return ompd_rc_ok;
}

ompd_rc_t activity_list_open(struct address_space *space, uint64_t thread, ompd_cl_list_t *id)
{
    struct registry_table *table;
    struct identifier identifier;
    const uint8_t *record;
    struct list *list;
    uint64_t count;
    uint32_t room;
    ompd_rc_t rc;

    if (identifier_decode(thread, space->salt, &identifier) && identifier.handle != 0)
        return found_activity_list_open(space, identifier, id);
    rc = object_view(space, ompd_cl_kind_thread, thread, &identifier, &record);
    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    table = &space->recorder->registry.tables[ompd_cl_registry_thread];
    count = activity_count_held(&space->recorder->registry, table, record);
    room = activity_room(table);
    list = list_open_small(space, ompd_cl_kind_activity, fill_activities, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->activities.thread = identifier.index;
    list->activities.generation = identifier.generation;
    list->activities.left = count < room ? (uint32_t)count : room;
    if (count > room && count <= OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT)
        list_note_lost(list, count - room,
                       "the thread is in more calls and callbacks than the recorder stores; the "
                       "innermost are missing.");
    return ompd_rc_ok;
}
