/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <string.h>

void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view)
{
    *renderer = (struct view_renderer){.view = view, .cell = view_cell_fill};
}

void view_renderer_end(struct view_renderer *renderer)
{
    view_legend_free(&renderer->notes);
}

/* Add the names of the bits set in VALUE. Bits without a name are added as one hexadecimal
 * number. */
static void cell_flags_add(const ompd_cl_field_t *field, uint64_t value, struct text *text)
{
    const char *between = "";

    if (value == 0)
        text_put(text, "none");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = ompd_cl_field_name_at(field, i)->value;

        if (bit == 0 || (value & bit) != bit)
            continue;
        text_add(text, "%s%s", between, ompd_cl_field_name_at(field, i)->name);
        between = "|";
        value &= ~bit;
    }
    if (value != 0)
        text_add(text, "%s0x%" PRIx64, between, value);
}

static void add_code(ompd_view_t *view, uint64_t address, bool is_caller, struct text *text)
{
    if (address == 0)
        text_add(text, VIEW_ABSENT);
    else if (is_caller)
        view_site_describe(view, view_site_get(view, address, 0), text);
    else
        view_location_describe(view, address, false, text);
}

static void add_text(ompd_view_t *view, struct view_value value, struct text *text)
{
    struct text whole = {0};
    bool is_whole = view_text_read(view, value, &whole);

    text_escape(text, text_get(&whole));
    if (!is_whole)
        text_put(text, VIEW_TEXT_CUT);
    text_free(&whole);
}

void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct text *text)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        add_text(view, value, text);
        break;
    case ompd_cl_type_address:
        view_location_data(view, value.value, text);
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
        cell_flags_add(field, value.value, text);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        view_field_name_add(field, value.value, text);
        break;
    case ompd_cl_type_boolean:
        text_add(text, value.value != 0 ? "yes" : "no");
        break;
    case ompd_cl_type_handle:
        text_put_hexadecimal(text, value.value);
        break;
    case ompd_cl_type_time:
        time_format(text, value.value);
        text_put(text, " UTC");
        break;
    case ompd_cl_type_duration:
        duration_format(text, value.value);
        text_put(text, " s");
        break;
    default:
        text_add(text, "%" PRId64 "%s%s", (int64_t)value.value, field->unit[0] != '\0' ? " " : "",
                 field->unit);
        break;
    }
}

void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct text *text)
{
    if (view_row_is_unrecorded(row, value)) {
        text_add(text, VIEW_UNRECORDED);
    } else if (value.status == ompd_cl_status_changing) {
        text_put(text, "being changed by ");
        view_thread_describe(view, value.lwp, false, text);
    } else {
        view_value_reason(value, text);
    }
}

void view_cell_put(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                   struct view_cell *cell)
{
    bool is_code = field->type == ompd_cl_type_function || field->type == ompd_cl_type_caller;

    if (view_value_is_absent(value) ||
        (is_code && view_value_is_known(value) && value.value == 0)) {
        cell->sure = view_sure_absent;
    } else if (!view_value_is_known(value)) {
        cell->sure = view_sure_unknown;
    } else {
        cell->sure = view_value_is_presumed(value) ? view_sure_presumed : view_sure_proved;
        text_put(&cell->text, view_value_bound(value));
        view_cell_value(view, field, value, &cell->text);
    }
}

struct view_value view_cell_field(ompd_view_t *view, const struct view_row *row,
                                  const ompd_cl_field_t *field)
{
    struct view_value value = view_row_field(row, field);

    if (field->type == ompd_cl_type_caller && view_value_is_known(value) && value.value != 0)
        value.value = view_site_of_field(view, row, field->name).address;
    return value;
}

void view_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                    const struct view_row *row, struct view_cell *cell)
{
    struct view_value value = view_cell_field(renderer->view, row, field);

    view_cell_put(renderer->view, field, value, cell);
    if (cell->sure == view_sure_unknown)
        view_cell_reason(renderer->view, row, value, &cell->reason);
}

void view_cell_clear(struct view_cell *cell)
{
    text_clear(&cell->text);
    text_clear(&cell->reason);
    cell->sure = view_sure_absent;
}

void view_cell_free(struct view_cell *cell)
{
    text_free(&cell->text);
    text_free(&cell->reason);
}

void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct text *text)
{
    struct view_cell cell = {0};

    view_cell_fill(renderer, field, row, &cell);
    if (cell.sure == view_sure_absent)
        text_put(text, VIEW_ABSENT);
    else if (cell.sure == view_sure_unknown)
        text_put(text, VIEW_UNKNOWN);
    else
        text_put(text, text_get(&cell.text));
    text_put(text, cell.sure == view_sure_presumed ? VIEW_PRESUMED : "");
    view_cell_free(&cell);
}

ompd_cl_confidence_t view_row_confidence(const struct view_row *row, struct text *reason)
{
    uint64_t confidence = view_row_number(row, "confidence");

    if (confidence == ompd_cl_confidence_doubtful) {
        text_put(reason, "doubtful: ");
        view_field_text_add(view_kind_field(row->kind, "doubt"), view_row_number(row, "doubt"),
                            reason);
    }
    return (ompd_cl_confidence_t)confidence;
}

void view_presumed_mark(struct view_value value, struct text *text)
{
    if (view_value_is_presumed(value))
        text_put(text, " (presumed)");
}

void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct text *text)
{
    struct view_value value = view_cell_field(view, row, field);
    struct text plain = {0};
    const char *shown;
    size_t title = strlen(field->title);

    if (!view_value_is_absent(value) && !view_value_is_known(value)) {
        text_add(text, VIEW_UNKNOWN " (");
        view_cell_reason(view, row, value, text);
        text_put(text, ")");
        return;
    }
    if (strcmp(field->name, "doubt") == 0)
        view_field_text_add(field, value.value, &plain);
    else
        view_cell_value(view, field, value, &plain);
    shown = text_get(&plain);
    if (strncmp(shown, field->title, title) == 0 && shown[title] == ' ')
        shown += title + 1;
    text_put(text, view_value_bound(value));
    if (field->type == ompd_cl_type_bytes)
        size_describe(text, value.value);
    else
        text_put(text, shown);
    view_presumed_mark(value, text);
    text_free(&plain);
}

void view_renderer_write_notes(struct view_renderer *renderer, const char *indent)
{
    view_legend_write(&renderer->notes, renderer->view, indent);
}
