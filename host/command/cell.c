/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cell.h. */
#include <host/command/cell.h>

#include <host/command/place.h>
#include <host/command/size.h>
#include <host/command/style.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void command_renderer_begin(struct command_renderer *renderer, struct command_session *session)
{
    *renderer = (struct command_renderer){.session = session, .cell = command_cell_add};
}

static void forget_notes(struct command_renderer *renderer)
{
    for (size_t i = 0; i < renderer->note_count; i++)
        free(renderer->notes[i].reason);
    renderer->note_count = 0;
}

void command_renderer_end(struct command_renderer *renderer)
{
    forget_notes(renderer);
    free(renderer->notes);
    renderer->notes = NULL;
}

/* One more row has MARK in the column TITLE because of REASON. */
static void count_note(struct command_renderer *renderer, const char *mark, const char *title,
                       const char *reason)
{
    struct command_note *note;

    for (size_t i = 0; i < renderer->note_count; i++) {
        note = &renderer->notes[i];
        if (strcmp(note->mark, mark) == 0 && strcmp(note->title, title) == 0 &&
            strcmp(note->reason, reason) == 0) {
            note->count++;
            return;
        }
    }
    renderer->notes =
        command_memory_resize(renderer->notes, (renderer->note_count + 1) * sizeof(*note));
    note = &renderer->notes[renderer->note_count++];
    *note = (struct command_note){.mark = mark, .title = title, .count = 1};
    note->reason = command_memory_get(strlen(reason) + 1);
    strcpy(note->reason, reason);
}

/* Add the names of the bits set in VALUE; bits without a name as one hexadecimal number. */
static void add_flags(const ompd_cl_field_t *field, uint64_t value, struct command_text *text)
{
    const char *between = "";

    if (value == 0)
        command_text_add(text, "none");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = field->names[i].value;

        if (bit == 0 || (value & bit) != bit)
            continue;
        command_text_add(text, "%s%s", between, field->names[i].name);
        between = "|";
        value &= ~bit;
    }
    if (value != 0)
        command_text_add(text, "%s0x%" PRIx64, between, value);
}

static void add_code(struct command_session *session, uint64_t address, bool is_caller,
                     struct command_text *text)
{
    if (address == 0)
        command_text_add(text, COMMAND_ABSENT);
    else
        command_place_describe(session, address, is_caller, text);
}

void command_cell_value(struct command_session *session, const ompd_cl_field_t *field,
                        struct command_value value, struct command_text *text)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        command_text_escape(text, value.text);
        break;
    case ompd_cl_type_address:
        command_place_data(session, value.value, text);
        break;
    case ompd_cl_type_function:
        add_code(session, value.value, false, text);
        break;
    case ompd_cl_type_caller:
        add_code(session, value.value, true, text);
        break;
    case ompd_cl_type_lwp:
        command_text_add(text, "LWP %" PRIu64, value.value);
        break;
    case ompd_cl_type_flags:
        add_flags(field, value.value, text);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        command_field_name_add(field, value.value, text);
        break;
    case ompd_cl_type_boolean:
        command_text_add(text, value.value != 0 ? "yes" : "no");
        break;
    case ompd_cl_type_handle:
        command_text_add(text, "0x%" PRIx64, value.value);
        break;
    default:
        command_text_add(text, "%" PRId64 "%s%s", (int64_t)value.value,
                         field->unit[0] != '\0' ? " " : "", field->unit);
        break;
    }
}

void command_cell_add(struct command_renderer *renderer, const ompd_cl_field_t *field,
                      const struct command_row *row, struct command_text *text)
{
    struct command_value value = command_row_field(row, field);

    if (command_value_is_absent(value)) {
        command_text_add(text, COMMAND_ABSENT);
        return;
    }
    if (!command_value_is_known(value)) {
        struct command_text reason = {0};

        command_value_reason(value, &reason);
        count_note(renderer, COMMAND_UNKNOWN, field->title, command_text_get(&reason));
        command_text_free(&reason);
        command_text_add(text, COMMAND_UNKNOWN);
        return;
    }
    command_cell_value(renderer->session, field, value, text);
    if (value.status == ompd_cl_status_presumed) {
        count_note(renderer, COMMAND_PRESUMED, field->title, "presumed, not proved");
        command_text_add(text, COMMAND_PRESUMED);
    }
}

void command_cell_detail(struct command_session *session, const ompd_cl_field_t *field,
                         const struct command_row *row, struct command_text *text)
{
    struct command_value value = command_row_field(row, field);
    struct command_text plain = {0};
    const char *shown;
    size_t title = strlen(field->title);

    if (!command_value_is_absent(value) && !command_value_is_known(value)) {
        command_text_add(text, COMMAND_UNKNOWN " (");
        command_value_reason(value, text);
        command_text_add(text, ")");
        return;
    }
    command_cell_value(session, field, value, &plain);
    shown = command_text_get(&plain);
    if (strncmp(shown, field->title, title) == 0 && shown[title] == ' ')
        shown += title + 1;
    if (field->type == ompd_cl_type_bytes)
        command_size_describe(text, value.value);
    else
        command_text_add(text, "%s", shown);
    if (value.status == ompd_cl_status_presumed)
        command_text_add(text, " (presumed)");
    command_text_free(&plain);
}

void command_note_write(struct command_session *session, const char *indent, const char *note)
{
    fputs(indent, session->output);
    command_style_write(session, COMMAND_STYLE_NOTE, note);
    fputc('\n', session->output);
}

/* Write the notes of one mark. */
static void write_notes(struct command_renderer *renderer, const char *mark, const char *indent)
{
    struct command_text line = {0};

    for (size_t i = 0; i < renderer->note_count; i++) {
        struct command_note *note = &renderer->notes[i];

        if (strcmp(note->mark, mark) != 0)
            continue;
        command_text_clear(&line);
        command_text_add(&line, "%s  %s of ", mark, note->title);
        command_count_add(&line, note->count, "row", NULL);
        command_text_add(&line, ": %s", note->reason);
        command_note_write(renderer->session, indent, command_text_get(&line));
    }
    command_text_free(&line);
}

void command_renderer_write_notes(struct command_renderer *renderer, const char *indent)
{
    write_notes(renderer, COMMAND_UNKNOWN, indent);
    write_notes(renderer, COMMAND_PRESUMED, indent);
    forget_notes(renderer);
}
