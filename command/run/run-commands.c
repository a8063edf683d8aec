/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that failed, and commands that may not have completed. */
#include <command/run/facts.h>
#include <inttypes.h>

/* Add "write-buffer" and its call site. */
static void add_command(const struct command_facts *facts, const ompd_cl_command_info_t *command,
                        struct text *text)
{
    const char *type = command_number_name(ompd_cl_kind_command, "type", command->type.value);

    text_put(text, type != NULL ? type : "a command");
    if (command->head.caller.value != 0)
        text_put(text, " enqueued");
    run_place_add(facts, &command->head.caller, &command->head.stack, text);
}

/* Add ": CL_OUT_OF_RESOURCES". */
static void add_error(const ompd_cl_value_t *error, struct text *text)
{
    const char *name = command_number_name(ompd_cl_kind_error, "error", error->value);

    if (error->status != ompd_cl_status_value)
        return;
    if (name != NULL)
        text_add(text, ": %s", name);
    else
        text_add(text, ": status %" PRId64, (int64_t)error->value);
}

/* Whether the event with HANDLE failed.  If so, add "; it waited for event 0x5555, which LWP
 * 4711 had set to -1". */
static bool add_event(const struct command_facts *facts, uint64_t handle, struct text *text)
{
    ompd_address_space_handle_t *space = facts->session->space;
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_rc_t rc;
    uint64_t id;

    if (ompd_cl_object_find(space, ompd_cl_kind_event, handle, &id) != ompd_rc_ok)
        return false;
    rc = ompd_cl_object_get(space, ompd_cl_kind_event, id, &event);
    if ((rc != ompd_rc_ok && rc != ompd_rc_incomplete) ||
        event.execution.value != ompd_cl_event_state_failed)
        return false;
    text_add(text, "; it waited for event 0x%" PRIx64, handle);
    if (event.set_by.status == ompd_cl_status_value && event.set_by.value != 0)
        text_add(text, ", which LWP %" PRIu64 " had set to %" PRId64, event.set_by.value,
                 (int64_t)event.error.value);
    else
        text_put(text, ", which failed");
    return true;
}

/* Add the first failed event that COMMAND waited for. */
static void add_cause(const struct command_facts *facts, const ompd_cl_command_info_t *command,
                      struct text *text)
{
    const ompd_cl_wait_info_t *wait;
    struct command_rows rows;
    bool is_reported = false;

    if (command->wait_count.value == 0)
        return;
    command_rows_open_of(&rows, facts->session, ompd_cl_kind_wait, command->head.id);
    while (!is_reported && (wait = command_rows_next(&rows)) != NULL)
        is_reported = add_event(facts, wait->event.value, text);
    command_rows_close(&rows);
}

static void failed_count(struct command_facts *facts, const ompd_cl_command_info_t *command,
                         size_t size)
{
    struct run_tally_entry *entry;
    struct text text = {0};

    add_command(facts, command, &text);
    add_error(&command->error, &text);
    entry = run_tally_add(&facts->failed, text.bytes, command, size);
    if (entry->text == NULL) {
        add_cause(facts, command, &text);
        entry->text = text_copy(text.bytes);
    }
    text_free(&text);
}

static void pending_count(struct command_facts *facts, const ompd_cl_command_info_t *command,
                          size_t size)
{
    struct text text = {0};

    add_command(facts, command, &text);
    if (command->is_flushed.status == ompd_cl_status_value && command->is_flushed.value == 0)
        text_put(&text, ", never flushed");
    run_tally_add(&facts->pending, text.bytes, command, size);
    text_free(&text);
}

/* Whether commands of the call site of COMMAND, which failed, are known never to have run. */
static bool has_never_run(const struct command_facts *facts, const ompd_cl_command_info_t *command)
{
    for (size_t i = 0; i < facts->never_ran.count; i++) {
        const ompd_cl_error_info_t *call = facts->never_ran.entries[i]->row;

        if (call->head.caller.value == command->head.caller.value)
            return true;
    }
    return false;
}

void run_commands_find(struct command_facts *facts)
{
    const ompd_cl_command_info_t *command;
    struct command_rows rows;

    command_rows_open_optional(&rows, facts->session, ompd_cl_kind_command, NULL);
    while ((command = command_rows_next(&rows)) != NULL) {
        if (!command_row_is_own(facts->session, ompd_cl_kind_command, command))
            continue;
        if (command->state.value == ompd_cl_event_state_failed && !has_never_run(facts, command))
            failed_count(facts, command, rows.size);
        else if (!facts->goes_on && (command->state.value == ompd_cl_event_state_enqueued ||
                                     command->state.value == ompd_cl_event_state_running ||
                                     command->state.value == ompd_cl_event_state_left))
            pending_count(facts, command, rows.size);
    }
    command_rows_close(&rows);
}

static void write_failed(const struct command_facts *facts)
{
    uint64_t sum = facts->failed.sum + facts->never_ran.sum;
    struct text title = {0};

    if (sum == 0)
        return;
    text_add(&title, "Failed commands: %s%" PRIu64,
             facts->never_ran.count != 0 && !facts->has_all_calls ? "at least " : "", sum);
    run_section_write(facts, &facts->never_ran, &title);
    if (facts->failed.count != 0)
        run_section_write(facts, &facts->failed, &title);
}

static void write_pending(const struct command_facts *facts)
{
    struct text title = {0};

    if (facts->pending.count == 0)
        return;
    text_add(&title, "Commands that may not have completed: %" PRIu64, facts->pending.sum);
    run_section_write(facts, &facts->pending, &title);
}

void run_commands_write(const struct command_facts *facts)
{
    if (facts->session->is_json) {
        run_lines_write(facts, &facts->never_ran, "failed_command", ompd_cl_kind_error, "call");
        run_lines_write(facts, &facts->failed, "failed_command", ompd_cl_kind_command, "type");
        run_lines_write(facts, &facts->pending, "pending_command", ompd_cl_kind_command, "type");
        return;
    }
    write_failed(facts);
    write_pending(facts);
}
