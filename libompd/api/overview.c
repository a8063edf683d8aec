/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview: counts over the whole registry. */
#include "api/api.h"

#include <string.h>

/* Set the VALUES that are counted for TABLE. */
static ompd_rc_t fill_table(struct address_space *space, uint32_t table,
                            ompd_cl_value_t *const values[LIVE_COUNT_SETS])
{
    bool is_kept = space->recorder->registry.tables[table].record_size != 0;
    struct live_counts tally;
    ompd_rc_t rc = live_counts_read(&tally, space, table);

    if (rc_is_final(rc))
        return rc;
    for (size_t i = 0; i < LIVE_COUNT_SETS && values[i] != NULL; i++) {
        if (!is_kept) {
            recorder_value_set_absent(values[i], ompd_cl_status_unknown);
            continue;
        }
        recorder_value_set(values[i], tally.counts[i]);
        if (rc != ompd_rc_ok)
            values[i]->status = ompd_cl_status_at_least;
        else if (tally.presumed != 0)
            values[i]->status = ompd_cl_status_presumed;
    }
    return rc;
}

static void fill_from_root(const struct address_space *space, ompd_cl_overview_info_t *info)
{
    const struct registry *registry = &space->recorder->registry;

    recorder_value_set(&info->pid, registry->pid);
    lwp_map_rename_thread(&space->recorder->lwps, &info->pid);
    recorder_value_set(&info->recorder_major, registry->major);
    recorder_value_set(&info->recorder_minor, registry->minor);
    recorder_value_set(&info->over_releases, registry->counts.over_releases);
    if (registry->counts.over_releases != 0)
        recorder_value_set(&info->over_released, registry->counts.last_over_released);
    else
        recorder_value_set_absent(&info->over_released, ompd_cl_status_not_applicable);
    recorder_value_set(&info->unknown_handles, registry->counts.unknown_handles);
    recorder_value_set(&info->not_recorded, registry->counts.not_recorded);
    recorder_value_set(&info->loaders_refused, registry->counts.loaders_refused);
    recorder_value_set(&info->stack_depth, registry->stack_depth);
    recorder_value_set(&info->tracks_completion,
                       (registry->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION) != 0);
    recorder_value_set(&info->is_thorough, (registry->switches & OMPD_CL_REGISTRY_THOROUGH) != 0);
    recorder_value_set(&info->last_order, registry->serial);
    if (registry->identity != 0)
        recorder_value_set(&info->identity, registry->identity);
    else
        recorder_value_set_absent(&info->identity, ompd_cl_status_not_applicable);
}

static ompd_rc_t fill_counts(struct address_space *space, ompd_cl_overview_info_t *info)
{
    const struct {
        uint32_t table;
        ompd_cl_value_t *values[LIVE_COUNT_SETS];
    } tables[] = {
        {ompd_cl_registry_context, {&info->contexts}},
        {ompd_cl_registry_queue, {&info->queues}},
        {ompd_cl_registry_memobj,
         {&info->memory_objects, &info->memory_object_bytes, &info->app_released}},
        {ompd_cl_registry_svm, {&info->svm_allocations, &info->svm_bytes}},
        {ompd_cl_registry_svm_free, {&info->svm_frees}},
        {ompd_cl_registry_callback, {&info->destructors_registered, &info->destructors_running}},
        {ompd_cl_registry_program, {&info->programs}},
        {ompd_cl_registry_kernel, {&info->kernels}},
        {ompd_cl_registry_sampler, {&info->samplers}},
        {ompd_cl_registry_event, {&info->events}},
        {ompd_cl_registry_thread, {&info->threads}},
        {ompd_cl_registry_command_buffer, {&info->command_buffers}},
        {ompd_cl_registry_semaphore, {&info->semaphores}},
    };
    ompd_rc_t result = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        ompd_rc_t rc = fill_table(space, tables[i].table, tables[i].values);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            result = rc;
    }
    return result;
}

/* Whether the recorder has all kinds of objects that layouts find; old ones lack some. */
static bool recorder_has_tables(const struct address_space *space)
{
    static const uint8_t tables[] = {
        ompd_cl_registry_context,  ompd_cl_registry_queue,   ompd_cl_registry_memobj,
        ompd_cl_registry_svm,      ompd_cl_registry_program, ompd_cl_registry_kernel,
        ompd_cl_registry_svm_free, ompd_cl_registry_event,   ompd_cl_registry_sampler,
        ompd_cl_registry_callback,
    };

    for (size_t i = 0; i < sizeof(tables); i++) {
        if (space->recorder->registry.tables[tables[i]].record_size == 0)
            return false;
    }
    return true;
}

/* Count the objects of the recorder, if there is one, and those that only layouts find. */
static ompd_rc_t fill_overview(struct address_space *space, ompd_cl_overview_info_t *info)
{
    bool has_layouts;
    ompd_rc_t rc = ompd_rc_ok;
    ompd_rc_t added;

    memset(info, 0, sizeof(*info));
    notes_clear(space);
    recorder_value_set_absent(&info->untouched_bytes, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->unsaved_bytes, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->unreadable_bytes, ompd_cl_status_not_applicable);
    if (address_space_has_recorder(space)) {
        fill_from_root(space, info);
        rc = fill_counts(space, info);
    } else {
        inventory_overview_begin(space, info);
    }
    if (rc_is_final(rc))
        return rc;
    added = sources_find_layouts(space, &has_layouts);
    rc = added != ompd_rc_ok ? added : rc;
    if (has_layouts &&
        (rc != ompd_rc_ok || !recorder_has_tables(space) || sources_need_search(space))) {
        added = inventory_overview_add(space, info);
        rc = added != ompd_rc_ok ? added : rc;
    }
    if (rc_is_final(rc))
        return rc;
    added = notes_record_threads(space);
    return added != ompd_rc_ok ? added : rc;
}

PUBLIC ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *handle,
                                      ompd_cl_overview_info_t *info)
{
    struct address_space *space;
    ompd_cl_overview_info_t local;
    ompd_size_t struct_size;
    ompd_rc_t rc;

    rc = sources_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = row_check(space, ompd_cl_kind_overview, info, &struct_size);
    if (rc == ompd_rc_ok)
        rc = fill_overview(space, &local);
    if (address_space_may_set_outputs(space, rc))
        row_copy_to_tool(ompd_cl_kind_overview, &local, info, struct_size);
    return address_space_leave(space, address_space_set_message(space, rc));
}

PUBLIC ompd_rc_t ompd_cl_note_get(ompd_address_space_handle_t *handle, uint32_t index,
                                  const char **note)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter_again(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    if (note == NULL)
        return address_space_leave(space, address_space_refuse_null(space, "the note"));
    notes_write(space, index);
    *note = space->note.text;
    return address_space_leave(space, ompd_rc_ok);
}
