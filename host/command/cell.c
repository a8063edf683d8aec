/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cell.h. */
#include <host/command/cell.h>

#include <host/command/place.h>
#include <host/command/size.h>
#include <host/command/style.h>
#include <inttypes.h>
#include <string.h>

void command_renderer_begin(struct command_renderer *renderer, struct command_session *session)
{
    *renderer = (struct command_renderer){.session = session, .cell = command_cell_add};
}

void command_renderer_end(struct command_renderer *renderer)
{
    command_notes_free(&renderer->notes);
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

void command_cell_reason(const struct command_row *row, struct command_value value,
                         struct command_text *text)
{
    if (command_row_is_unrecorded(row, value))
        command_text_add(text, COMMAND_UNRECORDED);
    else
        command_value_reason(value, text);
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

        command_cell_reason(row, value, &reason);
        command_notes_add(&renderer->notes, COMMAND_UNKNOWN, field->title,
                          command_text_get(&reason), false);
        command_text_free(&reason);
        command_text_add(text, COMMAND_UNKNOWN);
        return;
    }
    command_text_add(text, "%s", command_value_bound(value));
    command_cell_value(renderer->session, field, value, text);
    if (command_value_is_presumed(value)) {
        command_notes_add(&renderer->notes, COMMAND_PRESUMED, field->title, COMMAND_NOT_PROVED,
                          false);
        command_text_add(text, COMMAND_PRESUMED);
    }
}

/* Add what speaks against an object. */
static void add_doubt(const struct command_row *row, struct command_text *text)
{
    switch (command_row_number(row, "doubt")) {
    case ompd_cl_doubt_same_number:
        command_text_add(text, "another object has the number that no two share");
        break;
    case ompd_cl_doubt_over_counted:
        command_text_add(text, "more objects were found than the OpenCL context has references "
                               "for");
        break;
    case ompd_cl_doubt_twin:
        command_text_add(text, "another object owns the same memory");
        break;
    case ompd_cl_doubt_context:
        command_text_add(text, "the OpenCL context is doubtful");
        break;
    case ompd_cl_doubt_kind:
        command_text_add(text, "may be an object of another kind");
        break;
    case ompd_cl_doubt_place:
        command_text_add(text, "does not lie where its runtime puts objects of its kind");
        break;
    case ompd_cl_doubt_references:
        command_text_add(text, "has more references than a program takes, and nothing that was "
                               "found holds it");
        break;
    case ompd_cl_doubt_callback:
        command_text_add(text, "no code is where its destructor callback was");
        break;
    default:
        command_row_name(row, "doubt", text);
        break;
    }
}

/* Add the mark of a row of which it is not sure that the object is there, and note why. */
static void add_mark(struct command_renderer *renderer, const struct command_row *row,
                     struct command_text *text)
{
    uint64_t confidence = command_row_number(row, "confidence");
    const char *noun = row->kind->noun.singular;
    struct command_text reason = {0};

    if (confidence == ompd_cl_confidence_doubtful) {
        command_text_add(&reason, "doubtful: ");
        add_doubt(row, &reason);
        command_text_add(text, COMMAND_DOUBTFUL);
        command_notes_add(&renderer->notes, COMMAND_DOUBTFUL, noun, reason.bytes, true);
    } else if (confidence == ompd_cl_confidence_presumed) {
        command_text_add(text, COMMAND_PRESUMED);
        command_notes_add(&renderer->notes, COMMAND_PRESUMED, noun, COMMAND_NOT_PROVED, true);
    }
    command_text_free(&reason);
}

void command_cell_number(struct command_renderer *renderer, uint64_t number,
                         const struct command_row *row, struct command_text *text)
{
    add_mark(renderer, row, text);
    command_text_add(text, "%" PRIu64, number);
}

void command_presumed_mark(struct command_value value, struct command_text *text)
{
    if (command_value_is_presumed(value))
        command_text_add(text, " (presumed)");
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
        command_cell_reason(row, value, text);
        command_text_add(text, ")");
        return;
    }
    if (strcmp(field->name, "doubt") == 0)
        add_doubt(row, &plain);
    else
        command_cell_value(session, field, value, &plain);
    shown = command_text_get(&plain);
    if (strncmp(shown, field->title, title) == 0 && shown[title] == ' ')
        shown += title + 1;
    command_text_add(text, "%s", command_value_bound(value));
    if (field->type == ompd_cl_type_bytes)
        command_size_describe(text, value.value);
    else
        command_text_add(text, "%s", shown);
    command_presumed_mark(value, text);
    command_text_free(&plain);
}

void command_renderer_write_notes(struct command_renderer *renderer, const char *indent)
{
    command_notes_write(&renderer->notes, renderer->session, indent);
}
