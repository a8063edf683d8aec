/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One object: memobj, context, queue, svm-free, and destructors. */
#include <host/command/handle.h>
#include <host/command/json.h>
#include <host/command/listing.h>
#include <host/command/option.h>
#include <host/command/place.h>
#include <host/command/rows.h>
#include <host/command/sentences.h>
#include <host/command/table.h>

#include <ctype.h>

/* Read what belongs to OWNER; tells whether it could be. */
static bool read_parts(struct command_session *session, ompd_cl_kind_t kind,
                       const struct command_row *owner, struct command_rows *parts)
{
    struct command_list list;

    command_list_open_parts(&list, session, kind, owner);
    command_rows_read(parts, &list);
    return session->failure == command_exit_ok;
}

/* Write the first COUNT of PARTS as a numbered table. */
static void write_table(struct command_renderer *renderer, const struct command_rows *parts,
                        size_t count, const char *const *also)
{
    struct command_table_options options = {also, "  ", true};
    struct command_table *table = command_table_begin(renderer, parts->kind, &options);

    for (size_t i = 0; i < count; i++) {
        struct command_row row = command_rows_get(parts, i);

        command_table_add(table, &row);
    }
    command_table_end(table);
}

/* Write what the reader of the table of PARTS must know besides. */
static void write_notes(struct command_renderer *renderer, const struct command_rows *parts)
{
    command_renderer_write_notes(renderer, "  ");
    if (parts->note.length != 0)
        command_note_write(renderer->session, "  ", parts->note.bytes);
}

/* Write the call stack of the call that made ROW below TITLE, when it is deeper than the caller. */
static void write_stack(struct command_session *session, const struct command_row *row,
                        const char *title)
{
    ompd_addr_t frames[COMMAND_STACK_FRAMES];
    struct command_value stack = command_row_value(row, "stack");
    struct command_text text = {0};
    size_t count = 0;

    if (command_value_is_known(stack) && stack.value != 0)
        count = command_stack_get(session, stack.value, frames);
    if (count < 2)
        return;
    command_place_stack(session, frames, count, "    ", &text);
    fprintf(session->output, "  %s\n%s", title, command_text_get(&text));
    command_text_free(&text);
}

/* Write the call stacks of the first COUNT registrations, of those that have one deeper than the
 * caller. */
static void write_registrations(struct command_session *session,
                                const struct command_rows *callbacks, size_t count)
{
    struct command_text title = {0};

    for (size_t i = 0; i < count; i++) {
        struct command_row row = command_rows_get(callbacks, i);

        command_text_clear(&title);
        command_text_add(&title, "registration of %zu:", i + 1);
        write_stack(session, &row, title.bytes);
    }
    command_text_free(&title);
}

/* Write how many CALLBACKS of ROW there are: behind HEADER, or with NULL as a sentence of its own.
 */
static void write_destructor_count(struct command_session *session, const struct command_row *row,
                                   const char *header, const struct command_rows *callbacks)
{
    struct command_text title = {0};

    command_destructor_count(callbacks->count + callbacks->unreadable,
                             command_row_value(row, "destructor_count"), &title);
    if (header != NULL)
        fprintf(session->output, "%s: ", header);
    else
        title.bytes[0] = (char)toupper((unsigned char)title.bytes[0]);
    fprintf(session->output, "%s%s\n", title.bytes, callbacks->count != 0 ? "" : ".");
    command_text_free(&title);
}

/* Write the destructor callbacks of an object, and what comes after them. */
static void write_destructors(struct command_session *session, const struct command_row *row,
                              const char *header)
{
    /* Beside the usual columns: shown once one of them has begun to run. */
    static const char *const who_runs[] = {"running_lwp", NULL};
    struct command_renderer renderer;
    struct command_rows callbacks = {0};
    struct command_text after = {0};

    command_renderer_begin(&renderer, session);
    if (read_parts(session, ompd_cl_kind_destructor, row, &callbacks)) {
        uint64_t limit = session->options.limit;
        size_t count = callbacks.count < limit ? callbacks.count : (size_t)limit;

        write_destructor_count(session, row, header, &callbacks);
        write_table(&renderer, &callbacks, count, who_runs);
        write_registrations(session, &callbacks, count);
        write_notes(&renderer, &callbacks);
        if (count < callbacks.count)
            command_cut_note_write(session, "  ", callbacks.count - count);
        command_after_destructors(session, row, &callbacks, &after);
        if (after.length != 0)
            fprintf(session->output, "%s\n", after.bytes);
    }
    command_renderer_end(&renderer);
    command_rows_free(&callbacks);
    command_text_free(&after);
}

/* Write what belongs to ROW below TITLE, when there is any. */
static void write_part(struct command_session *session, const struct command_row *row,
                       ompd_cl_kind_t kind, const char *title)
{
    struct command_renderer renderer;
    struct command_rows parts = {0};

    command_renderer_begin(&renderer, session);
    if (read_parts(session, kind, row, &parts) && parts.count + parts.unreadable != 0) {
        fprintf(session->output, "%s\n", title);
        write_table(&renderer, &parts, parts.count, NULL);
        write_notes(&renderer, &parts);
    }
    command_renderer_end(&renderer);
    command_rows_free(&parts);
}

/* The pointers of an SVM-free command. */
static void write_pointers(struct command_session *session, const struct command_row *row)
{
    struct command_rows parts = {0};

    if (read_parts(session, ompd_cl_kind_svm_pointer, row, &parts) && parts.is_unknown)
        fputs("Which pointers it frees is not known without the recorder.\n", session->output);
    else
        write_part(session, row, ompd_cl_kind_svm_pointer, "It frees, in this order:");
    command_rows_free(&parts);
}

static void write_object(struct command_session *session, const struct command_row *row)
{
    struct command_text header = {0};

    command_object_header(session, row, &header);
    fprintf(session->output, "%s.\n", header.bytes);
    command_text_free(&header);
    command_fields_write(session, row);
    write_stack(session, row, "call stack");
    if (command_kind_field(row->kind, "destructor_count") != NULL)
        write_destructors(session, row, NULL);
    if (row->kind->number == ompd_cl_kind_svm_free) {
        if (!command_row_is_unrecorded(row, command_row_value(row, "pointer_count")))
            write_pointers(session, row);
        if (!command_row_is_unrecorded(row, command_row_value(row, "wait_count")))
            write_part(session, row, ompd_cl_kind_wait, "It waits for:");
    }
}

enum command_exit command_object_run(struct command_session *session,
                                     const struct command_line *line)
{
    struct command_object object;

    if (!command_handle_find(session, line->operands[0], &line->verb->kind, 1, &object))
        return command_session_result(session);
    if (session->options.is_json)
        command_json_row(session, &object.row);
    else
        write_object(session, &object.row);
    return command_session_result(session);
}

/* Print the destructor callbacks of an object, a line each. */
static void write_destructors_json(struct command_session *session, const struct command_row *row)
{
    struct command_value count = command_row_value(row, "destructor_count");
    struct command_list list;
    struct command_row callback;

    command_list_open_parts(&list, session, ompd_cl_kind_destructor, row);
    while (command_list_next(&list, &callback))
        command_json_row(session, &callback);
    command_list_close(&list);
    if (list.total == 0 && list.unreadable == 0 && !command_value_is_known(count))
        command_json_untold(session, count);
    else
        command_json_missing(&list);
}

/* Show the destructor callbacks of the object that WORD names. */
static enum command_exit object_destructors_run(struct command_session *session, const char *word)
{
    static const ompd_cl_kind_t kinds[] = {ompd_cl_kind_memobj, ompd_cl_kind_context};
    struct command_text header = {0};
    struct command_object object;

    if (session->options.states != NULL) {
        command_session_fail(
            session, command_exit_usage,
            "--state is for the list of all destructor callbacks: omit it or the handle.");
        return command_session_result(session);
    }
    if (!command_handle_find(session, word, kinds, 2, &object))
        return command_session_result(session);
    if (session->options.is_json) {
        write_destructors_json(session, &object.row);
        return command_session_result(session);
    }
    command_object_header(session, &object.row, &header);
    write_destructors(session, &object.row, header.bytes);
    command_text_free(&header);
    return command_session_result(session);
}

enum command_exit command_destructors_run(struct command_session *session,
                                          const struct command_line *line)
{
    if (line->operand_count != 0)
        return object_destructors_run(session, line->operands[0]);
    return command_list_run(session, line);
}
