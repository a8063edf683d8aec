/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See cell.h. */
#include <view/cell.h>

#include <inttypes.h>
#include <string.h>
#include <view/place.h>
#include <view/size.h>

void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view)
{
    *renderer = (struct view_renderer){.view = view, .cell = view_cell_add};
}

void view_renderer_end(struct view_renderer *renderer)
{
    view_notes_free(&renderer->notes);
}

/* Add the names of the bits set in VALUE; bits without a name as one hexadecimal number. */
static void add_flags(const ompd_cl_field_t *field, uint64_t value, struct view_text *text)
{
    const char *between = "";

    if (value == 0)
        view_text_put(text, "none");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = field->names[i].value;

        if (bit == 0 || (value & bit) != bit)
            continue;
        view_text_add(text, "%s%s", between, field->names[i].name);
        between = "|";
        value &= ~bit;
    }
    if (value != 0)
        view_text_add(text, "%s0x%" PRIx64, between, value);
}

static void add_code(ompd_view_t *view, uint64_t address, bool is_caller, struct view_text *text)
{
    if (address == 0)
        view_text_add(text, VIEW_ABSENT);
    else
        view_place_describe(view, address, is_caller, text);
}

void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct view_text *text)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        view_text_escape(text, value.text);
        break;
    case ompd_cl_type_address:
        view_place_data(view, value.value, text);
        break;
    case ompd_cl_type_function:
        add_code(view, value.value, false, text);
        break;
    case ompd_cl_type_caller:
        add_code(view, value.value, true, text);
        break;
    case ompd_cl_type_lwp:
        view_thread_describe(view, value.value, false, text);
        break;
    case ompd_cl_type_flags:
        add_flags(field, value.value, text);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        view_field_name_add(field, value.value, text);
        break;
    case ompd_cl_type_boolean:
        view_text_add(text, value.value != 0 ? "yes" : "no");
        break;
    case ompd_cl_type_handle:
        view_text_put_hexadecimal(text, value.value);
        break;
    default:
        view_text_add(text, "%" PRId64 "%s%s", (int64_t)value.value,
                      field->unit[0] != '\0' ? " " : "", field->unit);
        break;
    }
}

void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct view_text *text)
{
    if (view_row_is_unrecorded(row, value)) {
        view_text_add(text, VIEW_UNRECORDED);
    } else if (value.status == ompd_cl_status_changing) {
        view_text_put(text, "being changed by ");
        view_thread_describe(view, value.lwp, false, text);
    } else {
        view_value_reason(value, text);
    }
}

void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct view_text *text)
{
    struct view_value value = view_row_field(row, field);

    if (view_value_is_absent(value)) {
        view_text_add(text, VIEW_ABSENT);
        return;
    }
    if (!view_value_is_known(value)) {
        struct view_text reason = {0};

        view_cell_reason(renderer->view, row, value, &reason);
        view_notes_add(&renderer->notes, VIEW_UNKNOWN, field->title, view_text_get(&reason), false);
        view_text_free(&reason);
        view_text_add(text, VIEW_UNKNOWN);
        return;
    }
    view_text_put(text, view_value_bound(value));
    view_cell_value(renderer->view, field, value, text);
    if (view_value_is_presumed(value)) {
        view_notes_add(&renderer->notes, VIEW_PRESUMED, field->title, VIEW_NOT_PROVED, false);
        view_text_add(text, VIEW_PRESUMED);
    }
}

/* Add what speaks against an object. */
static void add_doubt(const struct view_row *row, struct view_text *text)
{
    static const char *const doubts[] = {
        [ompd_cl_doubt_same_number] = "another object has the number that no two share",
        [ompd_cl_doubt_over_counted] =
            "more objects were found than the OpenCL context has references for",
        [ompd_cl_doubt_twin] = "another object owns the same memory",
        [ompd_cl_doubt_context] = "the OpenCL context is doubtful",
        [ompd_cl_doubt_kind] = "may be an object of another kind",
        [ompd_cl_doubt_place] = "does not lie where its runtime puts objects of its kind",
        [ompd_cl_doubt_references] = "has more references than a program takes, and nothing that "
                                     "was found holds it",
        [ompd_cl_doubt_callback] = "no code is where its destructor callback was",
    };
    uint64_t doubt = view_row_number(row, "doubt");

    if (doubt < sizeof(doubts) / sizeof(doubts[0]) && doubts[doubt] != NULL)
        view_text_put(text, doubts[doubt]);
    else
        view_row_name(row, "doubt", text);
}

/* Add the mark of a row of which it is not sure that the object is there, and note why. */
static void add_mark(struct view_renderer *renderer, const struct view_row *row,
                     struct view_text *text)
{
    uint64_t confidence = view_row_number(row, "confidence");
    const char *noun = row->kind->noun.singular;
    struct view_text reason = {0};

    if (confidence == ompd_cl_confidence_doubtful) {
        view_text_put(&reason, "doubtful: ");
        add_doubt(row, &reason);
        view_text_add(text, VIEW_DOUBTFUL);
        view_notes_add(&renderer->notes, VIEW_DOUBTFUL, noun, reason.bytes, true);
    } else if (confidence == ompd_cl_confidence_presumed) {
        view_text_add(text, VIEW_PRESUMED);
        view_notes_add(&renderer->notes, VIEW_PRESUMED, noun, VIEW_NOT_PROVED, true);
    }
    view_text_free(&reason);
}

void view_cell_number(struct view_renderer *renderer, uint64_t number, const struct view_row *row,
                      struct view_text *text)
{
    add_mark(renderer, row, text);
    view_text_put_number(text, number);
}

void view_presumed_mark(struct view_value value, struct view_text *text)
{
    if (view_value_is_presumed(value))
        view_text_put(text, " (presumed)");
}

void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct view_text *text)
{
    struct view_value value = view_row_field(row, field);
    struct view_text plain = {0};
    const char *shown;
    size_t title = strlen(field->title);

    if (!view_value_is_absent(value) && !view_value_is_known(value)) {
        view_text_add(text, VIEW_UNKNOWN " (");
        view_cell_reason(view, row, value, text);
        view_text_put(text, ")");
        return;
    }
    if (strcmp(field->name, "doubt") == 0)
        add_doubt(row, &plain);
    else
        view_cell_value(view, field, value, &plain);
    shown = view_text_get(&plain);
    if (strncmp(shown, field->title, title) == 0 && shown[title] == ' ')
        shown += title + 1;
    view_text_put(text, view_value_bound(value));
    if (field->type == ompd_cl_type_bytes)
        view_size_describe(text, value.value);
    else
        view_text_put(text, shown);
    view_presumed_mark(value, text);
    view_text_free(&plain);
}

void view_renderer_write_notes(struct view_renderer *renderer, const char *indent)
{
    view_notes_write(&renderer->notes, renderer->view, indent);
}
