/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory: the program's objects by kind, and the library's own memory use. */
#include <view/verbs/verbs.h>

/* Fill the cell of one usage field. Counts that are bounds are shown as such. */
static void memory_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                             const struct view_row *row, struct view_cell *cell)
{
    struct view_value value = view_row_field(row, field);

    if (value.status == ompd_cl_status_presumed)
        text_put(&cell->text, "at most ");
    view_cell_fill(renderer, field, row, cell);
    if (value.status == ompd_cl_status_presumed)
        cell->sure = view_sure_proved;
    if (field->type != ompd_cl_type_name || !view_value_is_known(value))
        return;
    text_clear(&cell->text);
    view_words_add(row, field->name, &cell->text);
}

/* Whether an object of the kind exists, or may have existed. */
static bool ever_was(const struct view_row *row)
{
    struct view_value live = view_row_value(row, "live");
    struct view_value peak = view_row_value(row, "peak");

    return !view_value_is_known(live) || !view_value_is_known(peak) || live.value != 0 ||
           peak.value != 0;
}

/* Write the rows of kinds that had objects. */
static void write_usage_rows(struct view_renderer *renderer, const struct view_rows *usage)
{
    static const struct view_table_options options = {.indent = "  "};
    struct view_table *table = view_table_begin(renderer, usage->kind, &options);

    for (size_t i = 0; i < usage->count; i++) {
        struct view_row row = view_rows_get(usage, i);

        if (ever_was(&row))
            view_table_add(table, &row);
    }
    view_table_end(table);
}

static bool has_usage(const struct view_rows *usage)
{
    for (size_t i = 0; i < usage->count; i++) {
        struct view_row row = view_rows_get(usage, i);

        if (ever_was(&row))
            return true;
    }
    return false;
}

/* Open the list of usage. If the recorder has no usage data, NOTE receives why, and the answer
 * is incomplete. */
static void open_usage(struct view_list *list, ompd_view_t *view, struct text *note)
{
    view_list_open_optional(list, view, ompd_cl_kind_usage, NULL);
    if (list->rc != ompd_rc_unavailable)
        return;
    view_add_reason(view, list->rc, note);
    view->is_incomplete = true;
}

/* Write the program's memory use. */
static void write_usage(ompd_view_t *view)
{
    struct view_renderer renderer;
    struct view_rows usage = {0};
    struct view_list list;
    struct text note = {0};

    open_usage(&list, view, &note);
    view_rows_read(&usage, &list);
    text_put(&note, text_get(&usage.note));
    if (view->failure != ompd_view_exit_ok) {
        view_rows_free(&usage);
        text_free(&note);
        return;
    }
    if (!has_usage(&usage) && note.length == 0) {
        view_write(view, "The program has not created any OpenCL objects yet.\n");
    } else {
        view_write(view, "The program holds:\n");
        view_renderer_begin(&renderer, view);
        renderer.cell = memory_cell_fill;
        write_usage_rows(&renderer, &usage);
        if (note.length != 0)
            view_note_write(view, "  ", note.bytes);
        view_renderer_write_notes(&renderer, "  ");
        view_renderer_end(&renderer);
    }
    view_rows_free(&usage);
    text_free(&note);
}

/* Write how much of the command's memory the library uses. */
static void write_library(ompd_view_t *view, const struct view_row *row)
{
    const char *setting = view->front_end.memory_limit_setting;
    const char *holder = view->front_end.holder;
    struct text note = {0};

    view_print(view, "Library memory for this process, allocated from %s:\n",
               holder != NULL ? holder : "the tool");
    view_fields_write(view, row);
    if (!view_value_is_absent(view_row_value(row, "limit")) || setting == NULL)
        return;
    text_add(&note, "No limit is set; `%s 64M` sets one.", setting);
    view_note_write(view, "  ", note.bytes);
    text_free(&note);
}

static void add_usage_json(struct json *json, ompd_view_t *view)
{
    struct view_list list;
    struct text note = {0};

    open_usage(&list, view, &note);
    if (note.length != 0) {
        json_null(json, "usage");
        json_unknown(json, "usage", note.bytes);
        view_list_close(&list);
    } else {
        view_json_parts(json, "usage", &list, NULL);
    }
    text_free(&note);
}

static void memory_json_write(ompd_view_t *view)
{
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};
    struct view_row row = {view_kind_get(ompd_cl_kind_library_memory), (const void *)&info};
    struct text text = {0};
    struct json json;
    struct json library;

    json_begin_line(&json, &text);
    add_usage_json(&json, view);
    view_check(view, ompd_cl_library_memory_get(view->use.space, &info));
    json_key(&json, "library");
    json_begin(&library, &text);
    view_json_fields(view, &library, &row, NULL);
    json_end(&library);
    json_end(&json);
    if (view->failure == ompd_view_exit_ok)
        view_json_print(view, &text);
    text_free(&text);
}

/* Write which queues have several unfinished commands: their memory grows with them. */
static void write_pending(ompd_view_t *view)
{
    struct view_pending *pending = heap_get(sizeof(*pending));
    struct text text = {0};

    view_pending_find(pending, view);
    for (size_t i = 0; i < pending->count && view->failure == ompd_view_exit_ok; i++) {
        if (pending->queues[i].count < 2)
            continue;
        text_clear(&text);
        text_put(&text, "In command queue ");
        text_put_hexadecimal(&text, pending->queues[i].handle);
        text_put(&text, " ");
        view_pending_describe(&pending->queues[i], &text);
        view_print(view, "%s.\n", text.bytes);
    }
    text_free(&text);
    heap_free(pending);
}

static void memory_text_write(ompd_view_t *view)
{
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};
    struct view_row row = {view_kind_get(ompd_cl_kind_library_memory), (const void *)&info};

    write_usage(view);
    if (view->failure == ompd_view_exit_ok)
        write_pending(view);
    if (view->failure == ompd_view_exit_ok &&
        view_check(view, ompd_cl_library_memory_get(view->use.space, &info)))
        write_library(view, &row);
}

ompd_view_exit_t view_memory_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    (void)line;
    /* The library's usage says nothing about a target without a recorder. */
    if (!view_sources_need(view, ompd_cl_kind_context))
        return view_result(view);
    if (view->options.is_json)
        memory_json_write(view);
    else
        memory_text_write(view);
    return view_result(view);
}
