/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory: what the program holds by kind of object, and what the library holds to tell of it. */
#include <host/command/json.h>
#include <host/command/rows.h>
#include <host/command/sentences.h>
#include <host/command/table.h>
#include <host/command/verb.h>

/* Add the text of one field of usage: counts that are bounds as such. */
static void add_cell(struct command_renderer *renderer, const ompd_cl_field_t *field,
                     const struct command_row *row, struct command_text *text)
{
    struct command_value value = command_row_field(row, field);

    if (field->type == ompd_cl_type_name && command_value_is_known(value)) {
        command_words_add(row, field->name, text);
    } else if (value.status == ompd_cl_status_presumed) {
        command_text_add(text, "at most ");
        command_cell_value(renderer->session, field, value, text);
    } else {
        command_cell_add(renderer, field, row, text);
    }
}

/* Whether there is, or may have been, an object of the kind. */
static bool ever_was(const struct command_row *row)
{
    struct command_value live = command_row_value(row, "live");
    struct command_value peak = command_row_value(row, "peak");

    return !command_value_is_known(live) || !command_value_is_known(peak) || live.value != 0 ||
           peak.value != 0;
}

/* Write the rows of what ever was. */
static void write_usage_rows(struct command_renderer *renderer, const struct command_rows *usage)
{
    static const struct command_table_options options = {.indent = "  "};
    struct command_table *table = command_table_begin(renderer, usage->kind, &options);

    for (size_t i = 0; i < usage->count; i++) {
        struct command_row row = command_rows_get(usage, i);

        if (ever_was(&row))
            command_table_add(table, &row);
    }
    command_table_end(table);
}

static bool has_usage(const struct command_rows *usage)
{
    for (size_t i = 0; i < usage->count; i++) {
        struct command_row row = command_rows_get(usage, i);

        if (ever_was(&row))
            return true;
    }
    return false;
}

/* Open the list of usage.  When the recorder keeps none, NOTE gets why, and the answer is not
 * whole. */
static void open_usage(struct command_list *list, struct command_session *session,
                       struct command_text *note)
{
    command_list_open_optional(list, session, ompd_cl_kind_usage, NULL);
    if (list->rc != ompd_rc_unavailable)
        return;
    command_session_add_reason(session, list->rc, note);
    session->is_incomplete = true;
}

/* Write what the program holds. */
static void write_usage(struct command_session *session)
{
    struct command_renderer renderer;
    struct command_rows usage = {0};
    struct command_list list;
    struct command_text note = {0};

    open_usage(&list, session, &note);
    command_rows_read(&usage, &list);
    command_text_add(&note, "%s", command_text_get(&usage.note));
    if (session->failure != command_exit_ok) {
        command_rows_free(&usage);
        command_text_free(&note);
        return;
    }
    if (!has_usage(&usage) && note.length == 0) {
        fputs("The program has made no OpenCL object yet.\n", session->output);
    } else {
        fputs("The program holds:\n", session->output);
        command_renderer_begin(&renderer, session);
        renderer.cell = add_cell;
        write_usage_rows(&renderer, &usage);
        if (note.length != 0)
            command_note_write(session, "  ", note.bytes);
        command_renderer_write_notes(&renderer, "  ");
        command_renderer_end(&renderer);
    }
    command_rows_free(&usage);
    command_text_free(&note);
}

/* Write what the library holds of the command's memory. */
static void write_library(struct command_session *session, const struct command_row *row)
{
    fputs("The library holds, of this command's own memory:\n", session->output);
    command_fields_write(session, row);
    if (command_value_is_absent(command_row_value(row, "limit")))
        command_note_write(session, "  ", "There is no limit: `--memory-limit 64M` sets one.");
}

static void add_usage_json(struct command_json *json, struct command_session *session)
{
    struct command_list list;
    struct command_text note = {0};

    open_usage(&list, session, &note);
    if (note.length != 0) {
        command_json_null(json, "usage");
        command_json_unknown(json, "usage", note.bytes);
        command_list_close(&list);
    } else {
        command_json_parts(json, "usage", &list, NULL);
    }
    command_text_free(&note);
}

static void write_json(struct command_session *session)
{
    ompd_cl_memory_info_t info = {.struct_size = sizeof(info)};
    struct command_row row = {command_kind_get(ompd_cl_kind_memory), (const void *)&info};
    struct command_text text = {0};
    struct command_json json;
    struct command_json library;

    command_json_begin(&json, session, &text);
    add_usage_json(&json, session);
    command_session_check(session, ompd_cl_memory_get(session->space, &info));
    command_json_key(&json, "library");
    command_json_begin_part(&library, session, &text);
    command_json_fields(&library, &row, NULL);
    command_json_end(&library);
    command_json_end(&json);
    if (session->failure == command_exit_ok)
        command_json_print(session, &text);
    command_text_free(&text);
}

static void write_text(struct command_session *session)
{
    ompd_cl_memory_info_t info = {.struct_size = sizeof(info)};
    struct command_row row = {command_kind_get(ompd_cl_kind_memory), (const void *)&info};

    write_usage(session);
    if (session->failure == command_exit_ok &&
        command_session_check(session, ompd_cl_memory_get(session->space, &info)))
        write_library(session, &row);
}

enum command_exit command_memory_run(struct command_session *session,
                                     const struct command_line *line)
{
    (void)line;
    /* What the library holds says nothing of a target in which there is no recorder. */
    if (!command_session_check(session, ompd_cl_refresh(session->space)))
        return command_session_result(session);
    if (session->options.is_json)
        write_json(session);
    else
        write_text(session);
    return command_session_result(session);
}
