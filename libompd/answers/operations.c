/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The commands that use a command buffer or a semaphore. */
#include "answers/answers.h"

#define SEMAPHORE_SIGNAL 0x2043 /* CL_COMMAND_SEMAPHORE_SIGNAL_KHR */
#define SEMAPHORE_BINARY 1      /* CL_SEMAPHORE_TYPE_BINARY_KHR */

/* As many commands of an object are looked at (law 6); a queue has no more that are pending. */
#define OPERATIONS_LOOKED_AT 65536u

/* The commands that an object's record links to. */
struct operations {
    struct list_chain chain;
    uint64_t lost;       /* commands without a link */
    uint32_t changed_by; /* thread that is changing the links; 0: none */
};

/* Read the beginning of OPERATIONS from the record of object ID of KIND. */
static ompd_rc_t begin_operations(struct address_space *space, uint32_t kind, uint64_t id,
                                  struct operations *operations)
{
    struct registry *registry = &space->recorder->registry;
    const struct registry_table *table = &registry->tables[record_decoder_table(kind)];
    struct identifier identifier;
    const uint8_t *record;
    ompd_rc_t rc = recorded_object_view(space, kind, id, &identifier, &record);

    if (rc != ompd_rc_ok)
        return rc;
    *operations = (struct operations){
        .chain = {.link = (uint32_t)registry_get(registry, table, record,
                                                 ompd_cl_registry_field_operations),
                  .count = (uint32_t)registry_get(registry, table, record,
                                                  ompd_cl_registry_field_operation_count)},
        .lost = registry_get(registry, table, record, ompd_cl_registry_field_operations_lost),
        .changed_by = OMPD_CL_REGISTRY_CHANGE_LWP(
            registry_get(registry, table, record, ompd_cl_registry_field_change))};
    if (operations->chain.count > OPERATIONS_LOOKED_AT) {
        operations->lost += operations->chain.count - OPERATIONS_LOOKED_AT;
        operations->chain.count = OPERATIONS_LOOKED_AT;
    }
    return ompd_rc_ok;
}

/* View the record of the command that VALUE names; *RECORD is NULL if it has ended. */
static ompd_rc_t view_command(struct address_space *space, uint64_t value, uint32_t *index,
                              const uint8_t **record)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *commands = &registry->tables[ompd_cl_registry_command];
    const uint8_t *found;
    ompd_rc_t rc;

    *record = NULL;
    *index = OMPD_CL_REGISTRY_REFERENCE_INDEX((uint32_t)value);
    rc = registry_record_view(registry, commands, *index, &found);
    if (rc == ompd_rc_unavailable)
        return ompd_rc_error;
    if (rc == ompd_rc_ok && !registry_is_free(registry, commands, found) &&
        registry_get(registry, commands, found, ompd_cl_registry_field_generation) == value >> 32)
        *record = recorder_source_copy(space, commands, found);
    return rc;
}

/* View the next command of CHAIN that has not ended; *RECORD is NULL behind the last. Returns as
 * registry_record_view does. */
static ompd_rc_t next_operation(struct address_space *space, struct list_chain *chain,
                                uint32_t *index, const uint8_t **record)
{
    *record = NULL;
    while (chain->link != 0 && *record == NULL) {
        uint64_t value = 0;
        ompd_rc_t rc = chain->count == 0
                           ? ompd_rc_error
                           : recorder_link_read(&space->recorder->registry, &chain->link, &value);

        if (rc == ompd_rc_ok)
            rc = view_command(space, value, index, record);
        if (rc != ompd_rc_ok)
            return rc;
        chain->count--;
    }
    return ompd_rc_ok;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

struct operation_counts {
    uint64_t pending;         /* not known to be complete, */
    uint64_t signals;         /* and those of them that signal a semaphore */
    bool is_partial;          /* there may be more */
    bool has_failed;          /* one has failed */
    ompd_cl_status_t failure; /* why nothing is known; ompd_cl_status_value: something is */
};

static void count_operation(struct operation_counts *counts, const ompd_cl_command_info_t *command)
{
    bool is_known = command->state.status == ompd_cl_status_value;

    counts->has_failed |= is_known && command->state.value == ompd_cl_event_state_failed;
    if (is_known && (command->state.value == ompd_cl_event_state_done ||
                     command->state.value == ompd_cl_event_state_ended ||
                     command->state.value == ompd_cl_event_state_failed))
        return;
    counts->pending++;
    counts->signals += command->type.value == SEMAPHORE_SIGNAL;
}

/* Count the commands that use object ID of KIND. Returns ompd_rc_ok; ompd_rc_incomplete when some
 * could not be read; or a final code. */
static ompd_rc_t count_operations(struct address_space *space, uint32_t kind, uint64_t id,
                                  struct operation_counts *counts)
{
    struct operations operations;
    const uint8_t *record;
    uint32_t index;
    ompd_rc_t result = ompd_rc_ok;
    ompd_rc_t rc = begin_operations(space, kind, id, &operations);

    *counts = (struct operation_counts){.failure = ompd_cl_status_value};
    if (rc == ompd_rc_ok)
        counts->is_partial = operations.lost != 0 || operations.changed_by != 0;
    while (rc == ompd_rc_ok) {
        union row row;

        rc = next_operation(space, &operations.chain, &index, &record);
        if (rc != ompd_rc_ok || record == NULL)
            break;
        rc = row_fill(space, ompd_cl_kind_command, record, index, &row);
        if (rc == ompd_rc_ok)
            rc = command_row_complete(space, &row.command);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            result = ompd_rc_incomplete;
        count_operation(counts, &row.command);
        rc = ompd_rc_ok;
    }
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        counts->failure = rc == ompd_rc_incomplete ? (ompd_cl_status_t)space->target.failure
                                                   : ompd_cl_status_corrupt;
        message_clear(&space->message);
        result = ompd_rc_incomplete;
    }
    return result;
}

static void set_count(const struct operation_counts *counts, ompd_cl_value_t *value,
                      uint64_t number)
{
    if (counts->failure != ompd_cl_status_value) {
        recorder_value_set_absent(value, counts->failure);
        return;
    }
    recorder_value_set(value, number);
    if (counts->is_partial)
        value->status = ompd_cl_status_at_least;
}

ompd_rc_t command_buffer_row_complete(struct address_space *space,
                                      ompd_cl_command_buffer_info_t *info)
{
    struct operation_counts counts;
    ompd_rc_t rc = count_operations(space, ompd_cl_kind_command_buffer, info->head.id, &counts);

    if (!rc_is_final(rc))
        set_count(&counts, &info->pending, counts.pending);
    return rc;
}

/* Each signal of a binary semaphore must be followed by a wait before the next one
 * (cl_khr_semaphore, clEnqueueSignalSemaphoresKHR). */
static void set_payload(const struct operation_counts *counts, ompd_cl_semaphore_info_t *info)
{
    uint64_t signals = info->signals.value - info->waits.value;
    bool is_shared = info->import_type.status == ompd_cl_status_value ||
                     (info->exports.status == ompd_cl_status_value && info->exports.value != 0);

    if (counts->failure != ompd_cl_status_value || counts->is_partial || counts->has_failed ||
        counts->pending != 0 || is_shared || info->type.status != ompd_cl_status_value ||
        info->type.value != SEMAPHORE_BINARY || signals > 1)
        recorder_value_set_absent(&info->payload, ompd_cl_status_unknown);
    else
        recorder_value_set(&info->payload, signals == 0 ? ompd_cl_semaphore_unsignaled
                                                        : ompd_cl_semaphore_signaled);
}

ompd_rc_t semaphore_row_complete(struct address_space *space, ompd_cl_semaphore_info_t *info)
{
    struct operation_counts counts;
    ompd_rc_t rc = count_operations(space, ompd_cl_kind_semaphore, info->head.id, &counts);

    if (rc_is_final(rc))
        return rc;
    set_count(&counts, &info->pending_signals, counts.signals);
    set_count(&counts, &info->pending_waits, counts.pending - counts.signals);
    set_payload(&counts, info);
    return rc;
}

/* ---- The list -------------------------------------------------------------------------------- */

static ompd_rc_t lose_operations(struct list *list, ompd_rc_t rc)
{
    list_note_lost(list, list->chain.count,
                   rc == ompd_rc_error
                       ? "the recorder's registry is corrupt: the commands that use "
                         "an object are not where it says they are."
                       : NULL);
    list->chain = (struct list_chain){0};
    return ompd_rc_ok;
}

static ompd_rc_t fill_operations(struct address_space *space, struct list *list,
                                 struct batch *batch)
{
    ompd_rc_t rc = recorder_source_read(space);

    while (rc == ompd_rc_ok && batch->count < batch->capacity) {
        struct list_chain before = list->chain;
        const uint8_t *record;
        uint32_t index;

        rc = next_operation(space, &list->chain, &index, &record);
        if (rc == ompd_rc_error || rc == ompd_rc_incomplete)
            return lose_operations(list, rc);
        if (rc != ompd_rc_ok || record == NULL)
            return rc;
        rc = list_row_add(space, list, batch, record, index);
        if (rc != ompd_rc_ok)
            list->chain = before;
    }
    return rc;
}

ompd_rc_t operation_list_open(struct address_space *space, uint32_t kind, uint64_t id,
                              ompd_cl_list_t *list)
{
    struct operations operations;
    struct list *opened;
    ompd_rc_t rc;

    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    rc = recorder_source_open(space);
    if (rc == ompd_rc_ok)
        rc = begin_operations(space, kind, id, &operations);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space,
                                         rc == ompd_rc_incomplete ? ompd_rc_device_read_error : rc);
    opened = list_open_small(space, ompd_cl_kind_command, fill_operations, list);
    if (opened == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    opened->chain = operations.chain;
    if (operations.lost != 0)
        list_note_lost(opened, operations.lost,
                       "the recorder has no record of some commands that use the object.");
    return ompd_rc_ok;
}
