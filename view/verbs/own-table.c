/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions for a front end's own verbs: tables. */
#include <view/verbs/verbs.h>

/* Rows between two questions to the front end whether the user wants the command to end. */
#define ASKED_EVERY 256

/* What a table is shown by knows what the verb has begun. */
static struct view_own *own_of(struct view_renderer *renderer)
{
    return (struct view_own *)((char *)renderer - offsetof(struct view_own, renderer));
}

/* Number INDEX of VALUES, which the caller may know more members of. */
static const ompd_view_value_t *value_at(const ompd_view_value_t *values, size_t index)
{
    return (const void *)((const char *)values + index * values->struct_size);
}

static void fill_cell(struct view_renderer *renderer, const ompd_cl_field_t *field,
                      const struct view_row *row, struct view_cell *cell)
{
    const struct view_own *own = own_of(renderer);
    struct view_value value;

    if (field < own->columns || field >= own->columns + own->column_count) {
        view_cell_fill(renderer, field, row, cell);
        return;
    }
    if (!view_own_value(value_at(own->values, (size_t)(field - own->columns)), &value))
        return;
    view_cell_put(renderer->view, field, value, cell);
    if (cell->sure == view_sure_unknown)
        view_own_reason(value, &cell->reason);
}

static void add_below(struct view_renderer *renderer, const struct view_row *row, struct text *text)
{
    const struct view_own *own = own_of(renderer);

    (void)row;
    if (own->below != NULL)
        text_escape_lines(text, own->below);
}

void view_own_table_drop(struct view_own *own)
{
    if (own->table == NULL)
        return;
    own->table->line_count = 0;
    view_table_end(own->table);
    own->table = NULL;
    view_renderer_end(&own->renderer);
    for (size_t i = 0; i < own->column_count; i++)
        heap_free((char *)own->columns[i].title);
    own->column_count = 0;
}

struct table_call {
    struct view_call call;
    ompd_cl_kind_t kind;
    const char *title;
    ompd_cl_type_t type;
    const void *row;
    const ompd_view_value_t *values;
    size_t count;
    const char *below;
};

static void begin(void *argument)
{
    static const struct view_table_options options = {.indent = ""};
    struct table_call *call = argument;
    struct view_own *own = call->call.own;
    ompd_view_t *view = call->call.view;

    if ((call->kind != 0 && !view_kind_is_known(call->kind)) || view->options.is_json ||
        own->table != NULL) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view_renderer_begin(&own->renderer, view);
    own->renderer.cell = fill_cell;
    own->renderer.below = add_below;
    own->kind = call->kind;
    own->rows = 0;
    if (call->kind != 0)
        own->table = view_table_begin(&own->renderer, view_kind_get(call->kind), &options);
    else
        own->table = view_table_begin_empty(&own->renderer, NULL, NULL, &options);
}

PUBLIC ompd_rc_t ompd_view_table_begin(ompd_view_t *view, ompd_cl_kind_t kind)
{
    struct table_call call = {.call = {.view = view}, .kind = kind};

    return view_call_run(&call.call, begin);
}

static void add_column(void *argument)
{
    struct table_call *call = argument;
    struct view_own *own = call->call.own;
    ompd_cl_field_t *column = &own->columns[own->column_count];
    struct text title = {0};

    if (own->table == NULL || own->rows != 0 || call->title == NULL ||
        !view_own_type_is_known(call->type) || call->type == ompd_cl_type_stack ||
        own->table->column_count == VIEW_FIELDS) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    text_escape(&title, call->title);
    *column = view_own_field("", call->type);
    column->title = text_copy(text_get(&title));
    text_free(&title);
    own->column_count++;
    view_table_add_column(own->table, column, column->title, view_field_is_number(column));
}

PUBLIC ompd_rc_t ompd_view_table_column_add(ompd_view_t *view, const char *title,
                                            ompd_cl_type_t type)
{
    struct table_call call = {.call = {.view = view}, .title = title, .type = type};

    return view_call_run(&call.call, add_column);
}

/* Whether there is a value for each column that was added. */
static bool fits_columns(const struct view_own *own, const ompd_view_value_t *values, size_t count)
{
    struct view_value known;

    if (count != own->column_count || (count != 0 && values == NULL))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!view_own_value(value_at(values, i), &known) ||
            own->columns[i].type != value_at(values, i)->type)
            return false;
    return true;
}

static void add_row(void *argument)
{
    static const struct view_kind none = {.number = (ompd_cl_kind_t)0};
    struct table_call *call = argument;
    struct view_own *own = call->call.own;
    ompd_view_t *view = call->call.view;
    struct view_object object = {.row = {.kind = &none}};

    if (own->table == NULL || !fits_columns(own, call->values, call->count) ||
        (own->kind == 0 ? call->row != NULL : !view_object_copy(&object, own->kind, call->row))) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    if (own->rows++ % ASKED_EVERY == 0)
        view_look_for_interrupt(view);
    if (own->rows > view->options.limit)
        return;
    own->values = call->values;
    own->below = call->below;
    view_table_add(own->table, &object.row);
    own->values = NULL;
    own->below = NULL;
}

PUBLIC ompd_rc_t ompd_view_table_row_add(ompd_view_t *view, const void *row,
                                         const ompd_view_value_t *values, size_t count,
                                         const char *below)
{
    struct table_call call = {
        .call = {.view = view}, .row = row, .values = values, .count = count, .below = below};

    return view_call_run(&call.call, add_row);
}

static void end(void *argument)
{
    struct table_call *call = argument;
    struct view_own *own = call->call.own;
    ompd_view_t *view = call->call.view;

    if (own->table == NULL) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view_table_write(own->table);
    view_renderer_write_notes(&own->renderer, "");
    if (own->rows > view->options.limit)
        view_cut_note_write(view, "", own->rows - view->options.limit);
    view_own_table_drop(own);
}

PUBLIC ompd_rc_t ompd_view_table_end(ompd_view_t *view)
{
    struct table_call call = {.call = {.view = view}};

    return view_call_run(&call.call, end);
}
