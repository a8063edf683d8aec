/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completes commands from their events. */
#include "answers/answers.h"

#include "answers/kept.h"

#define COMMAND_SVM_FREE 0x1209 /* CL_COMMAND_SVM_FREE */

/* Get the event of INFO in *ROW. Returns ompd_rc_unavailable when the program has released it,
 * because another event may have its handle now. Where the hash is inconclusive, a walk over all
 * events for each command would take too long. */
static ompd_rc_t find_command_event(struct address_space *space, const ompd_cl_command_info_t *info,
                                    union row *row)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *events = &registry->tables[ompd_cl_registry_event];
    const uint8_t *record;
    uint32_t index;
    ompd_rc_t rc = record_find_hashed(registry, ompd_cl_registry_event, info->event.value, &index);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, events, index, &record);
    if (rc != ompd_rc_ok)
        return rc;
    if (registry_get(registry, events, record, ompd_cl_registry_field_queue_handle) !=
            info->queue.value ||
        registry_get(registry, events, record, ompd_cl_registry_field_number) != info->number.value)
        return ompd_rc_unavailable;
    record = recorder_source_copy(space, events, record);
    return row_fill(space, ompd_cl_kind_event, record, index, row);
}

static bool value_is(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value;
}

static bool event_is_complete(const ompd_cl_event_info_t *event)
{
    return value_is(&event->execution) && (event->execution.value == ompd_cl_event_state_done ||
                                           event->execution.value == ompd_cl_event_state_failed);
}

/* The event may add something: a command that never runs has failed, whatever is known of the
 * runtime. */
static bool event_may_complete(const ompd_cl_command_info_t *info)
{
    return value_is(&info->state) && (info->state.value == ompd_cl_event_state_enqueued ||
                                      (info->state.value == ompd_cl_event_state_failed &&
                                       value_is(&info->failed_event) && !value_is(&info->error)));
}

/* ---- Commands that free SVM ------------------------------------------------------------------ */

static bool add_begun(const struct registry *registry, const struct registry_table *table,
                      const uint8_t *record, uint32_t index, void *context)
{
    struct svm_begun *begun = context;
    uint64_t run = registry_get(registry, table, record, ompd_cl_registry_field_run);
    uint32_t state = OMPD_CL_REGISTRY_RUN_STATE(run);

    if (state != ompd_cl_registry_running && state != ompd_cl_registry_done &&
        state != ompd_cl_registry_failed)
        return true;
    if (begun->count == SVM_BEGUN_LIMIT) {
        begun->rc = ompd_rc_incomplete;
        return false;
    }
    begun->commands[begun->count++] = (struct svm_begun_command){
        .queue = registry_get(registry, table, record, ompd_cl_registry_field_queue_handle),
        .number = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_number),
        .index = index,
        .run = run,
    };
    return true;
}

/* The state of COMMAND: that of its function while that may yet go on. */
static uint8_t command_function_state(struct registry *registry,
                                      const struct svm_begun_command *command)
{
    uint32_t reference = OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, command->index);

    if (OMPD_CL_REGISTRY_RUN_STATE(command->run) == ompd_cl_registry_failed)
        return ompd_cl_event_state_failed;
    return activity_is_left(registry, reference, command->run) ? ompd_cl_event_state_left
                                                               : ompd_cl_event_state_running;
}

/* Find the commands that have begun at this stop. */
static ompd_rc_t find_begun(struct address_space *space)
{
    struct svm_begun *begun = &space->kept->svm_begun;
    struct registry_walk walk = {.table =
                                     &space->recorder->registry.tables[ompd_cl_registry_svm_free]};
    ompd_rc_t rc = ompd_rc_ok;

    if (begun->stop == space->target.stop)
        return begun->rc;
    begun->stop = 0;
    begun->count = 0;
    begun->rc = ompd_rc_ok;
    if (walk.table->record_size != 0)
        rc = registry_walk_visit(&space->recorder->registry, &walk, add_begun, begun);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || walk.lost != 0)
        begun->rc = ompd_rc_incomplete;
    for (uint32_t i = 0; i < begun->count; i++)
        begun->commands[i].state =
            command_function_state(&space->recorder->registry, &begun->commands[i]);
    begun->stop = space->target.stop;
    return begun->rc;
}

static void read_begun(const struct svm_begun_command *command, ompd_cl_command_info_t *info)
{
    info->state.value = command->state;
    if (command->state == ompd_cl_event_state_failed)
        recorder_value_set_absent(&info->error, ompd_cl_status_unknown);
}

/* Presume the state of INFO if RC says that its sources could not be read. */
static ompd_rc_t presume_state(struct address_space *space, ompd_cl_command_info_t *info,
                               ompd_rc_t rc)
{
    if (rc == ompd_rc_ok)
        return ompd_rc_ok;
    message_clear(&space->message);
    info->state.status = ompd_cl_status_presumed;
    return ompd_rc_incomplete;
}

/* A command whose function is running or has returned has started. */
static ompd_rc_t complete_svm_free(struct address_space *space, ompd_cl_command_info_t *info)
{
    const struct svm_begun *begun = &space->kept->svm_begun;
    ompd_rc_t rc;

    if (!value_is(&info->state) || info->state.value != ompd_cl_event_state_enqueued ||
        !value_is(&info->type) || info->type.value != COMMAND_SVM_FREE)
        return ompd_rc_ok;
    rc = find_begun(space);
    if (rc_is_final(rc))
        return rc;
    for (uint32_t i = 0; i < begun->count; i++) {
        if (begun->commands[i].queue == info->queue.value &&
            begun->commands[i].number == info->number.value) {
            read_begun(&begun->commands[i], info);
            return ompd_rc_ok;
        }
    }
    return presume_state(space, info, rc);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* Complete INFO by its event. */
static ompd_rc_t complete_by_event(struct address_space *space, ompd_cl_command_info_t *info)
{
    bool has_layouts = false;
    union row row;
    ompd_rc_t found;
    ompd_rc_t rc;

    if (!value_is(&info->event))
        return ompd_rc_ok;
    rc = find_command_event(space, info, &row);
    if (rc_is_final(rc) || rc == ompd_rc_unavailable)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    if (rc == ompd_rc_ok) {
        found = sources_find_layouts(space, &has_layouts);
        if (rc_is_final(found))
            return found;
        if (has_layouts)
            rc = layout_row_complete(space, ompd_cl_kind_event, &row);
        if (rc_is_final(rc))
            return rc;
        if (event_is_complete(&row.event)) {
            info->state = row.event.execution;
            info->error = row.event.error;
            if (info->state.value != ompd_cl_event_state_failed)
                recorder_command_clear_failure(info);
            return ompd_rc_ok;
        }
    }
    return presume_state(space, info, rc);
}

ompd_rc_t command_row_complete(struct address_space *space, ompd_cl_command_info_t *info)
{
    ompd_rc_t rc;
    ompd_rc_t freed;

    if (!event_may_complete(info) || !value_is(&info->queue) || !value_is(&info->number))
        return ompd_rc_ok;
    rc = complete_by_event(space, info);
    if (rc_is_final(rc))
        return rc;
    freed = complete_svm_free(space, info);
    return freed == ompd_rc_ok ? rc : freed;
}

void command_completion_retry(struct address_space *space)
{
    if (space->kept->svm_begun.rc != ompd_rc_ok)
        space->kept->svm_begun.stop = 0;
}
