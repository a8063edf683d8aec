/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions for a front end's own verbs: tables. */
#include <view/verbs/verbs.h>

/* Rows written between two checks whether the user has interrupted the command. */
#define ASKED_EVERY 256

/* The renderer knows what output the verb has begun. */
static struct view_custom_verb *own_of(struct view_renderer *renderer)
{
    return (struct view_custom_verb *)((char *)renderer -
                                       offsetof(struct view_custom_verb, renderer));
}

/* Value INDEX of VALUES. The caller's struct may be larger. */
static const ompd_view_value_t *value_at(const ompd_view_value_t *values, size_t index)
{
    return (const void *)((const char *)values + index * values->struct_size);
}

static void custom_table_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                                   const struct view_row *row, struct view_cell *cell)
{
    const struct view_custom_verb *custom = own_of(renderer);
    struct view_value value;

    if (field < custom->columns || field >= custom->columns + custom->column_count) {
        view_cell_fill(renderer, field, row, cell);
        return;
    }
    if (!view_custom_value(value_at(custom->values, (size_t)(field - custom->columns)), &value))
        return;
    view_cell_put(renderer->view, field, value, cell);
    if (cell->sure == view_sure_unknown)
        view_custom_reason(value, &cell->reason);
}

static void custom_table_below_add(struct view_renderer *renderer, const struct view_row *row,
                                   struct text *text)
{
    const struct view_custom_verb *custom = own_of(renderer);

    (void)row;
    if (custom->below != NULL)
        text_escape_lines(text, custom->below);
}

void view_custom_table_drop(struct view_custom_verb *custom)
{
    if (custom->table == NULL)
        return;
    custom->table->line_count = 0;
    view_table_end(custom->table);
    custom->table = NULL;
    view_renderer_end(&custom->renderer);
    for (size_t i = 0; i < custom->column_count; i++)
        heap_free((char *)custom->columns[i].title);
    custom->column_count = 0;
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

static void custom_table_begin(void *argument)
{
    static const struct view_table_options options = {.indent = ""};
    struct table_call *call = argument;
    struct view_custom_verb *custom = call->call.custom;
    ompd_view_t *view = call->call.view;

    if ((call->kind != 0 && !view_kind_is_known(call->kind)) || view->options.is_json ||
        custom->table != NULL) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view_renderer_begin(&custom->renderer, view);
    custom->renderer.cell = custom_table_cell_fill;
    custom->renderer.below = custom_table_below_add;
    custom->kind = call->kind;
    custom->rows = 0;
    if (call->kind != 0)
        custom->table = view_table_begin(&custom->renderer, view_kind_get(call->kind), &options);
    else
        custom->table = view_table_begin_empty(&custom->renderer, NULL, NULL, &options);
}

PUBLIC ompd_rc_t ompd_view_table_begin(ompd_view_t *view, ompd_cl_kind_t kind)
{
    struct table_call call = {.call = {.view = view}, .kind = kind};

    return view_call_run(&call.call, custom_table_begin);
}

static void custom_table_column_add(void *argument)
{
    struct table_call *call = argument;
    struct view_custom_verb *custom = call->call.custom;
    ompd_cl_field_t *column = &custom->columns[custom->column_count];
    struct text title = {0};

    if (custom->table == NULL || custom->rows != 0 || call->title == NULL ||
        !view_custom_type_is_known(call->type) || call->type == ompd_cl_type_stack ||
        custom->table->column_count == VIEW_FIELDS) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    text_escape(&title, call->title);
    *column = view_custom_field("", call->type);
    column->title = text_copy(text_get(&title));
    text_free(&title);
    custom->column_count++;
    view_table_add_column(custom->table, column, column->title, view_field_is_number(column));
}

PUBLIC ompd_rc_t ompd_view_table_column_add(ompd_view_t *view, const char *title,
                                            ompd_cl_type_t type)
{
    struct table_call call = {.call = {.view = view}, .title = title, .type = type};

    return view_call_run(&call.call, custom_table_column_add);
}

/* Whether each added column has a value. */
static bool fits_columns(const struct view_custom_verb *custom, const ompd_view_value_t *values,
                         size_t count)
{
    struct view_value known;

    if (count != custom->column_count || (count != 0 && values == NULL))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!view_custom_value(value_at(values, i), &known) ||
            custom->columns[i].type != value_at(values, i)->type)
            return false;
    return true;
}

static void custom_table_row_add(void *argument)
{
    static const struct view_kind none = {.number = (ompd_cl_kind_t)0};
    struct table_call *call = argument;
    struct view_custom_verb *custom = call->call.custom;
    ompd_view_t *view = call->call.view;
    struct view_object object = {.row = {.kind = &none}};

    if (custom->table == NULL || !fits_columns(custom, call->values, call->count) ||
        (custom->kind == 0 ? call->row != NULL
                           : !view_object_copy(&object, custom->kind, call->row))) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    if (custom->rows++ % ASKED_EVERY == 0)
        view_interrupt_check(view);
    if (custom->rows > view->options.limit)
        return;
    custom->values = call->values;
    custom->below = call->below;
    view_table_add(custom->table, &object.row);
    custom->values = NULL;
    custom->below = NULL;
}

PUBLIC ompd_rc_t ompd_view_table_row_add(ompd_view_t *view, const void *row,
                                         const ompd_view_value_t *values, size_t count,
                                         const char *below)
{
    struct table_call call = {
        .call = {.view = view}, .row = row, .values = values, .count = count, .below = below};

    return view_call_run(&call.call, custom_table_row_add);
}

static void custom_table_end(void *argument)
{
    struct table_call *call = argument;
    struct view_custom_verb *custom = call->call.custom;
    ompd_view_t *view = call->call.view;

    if (custom->table == NULL) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view_table_write(custom->table);
    view_renderer_write_notes(&custom->renderer, "");
    if (custom->rows > view->options.limit)
        view_cut_note_write(view, "", custom->rows - view->options.limit);
    view_custom_table_drop(custom);
}

PUBLIC ompd_rc_t ompd_view_table_end(ompd_view_t *view)
{
    struct table_call call = {.call = {.view = view}};

    return view_call_run(&call.call, custom_table_end);
}
