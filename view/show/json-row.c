/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows as JSON, with what belongs to them. */
#include <view/show/show.h>

#include <inttypes.h>

#define ROW_KEPT 65536 /* bytes of memory reused for the next row */

/* A destructor callback within its object: its identity and progress. */
static const char *const destructor_keys[] = {"function", "user_data",   "state",
                                              "lwp",      "running_lwp", NULL};

/* Add a row within another: an object, or the handle of an event in a wait list. */
static void add_part(ompd_view_t *view, struct json *json, const struct view_row *row,
                     const char *const *keys)
{
    struct json part;
    struct view_value event;

    if (row->kind->number != ompd_cl_kind_wait) {
        json_begin(&part, json->text);
        view_json_fields(view, &part, row, keys);
        json_end(&part);
        return;
    }
    event = view_row_value(row, "event");
    if (view_value_is_known(event))
        text_add(json->text, "\"0x%" PRIx64 "\"", event.value);
    else
        text_put(json->text, "null");
}

/* Report why some of LIST are missing. */
static void add_unreadable(struct json *json, const char *key, const struct view_list *list)
{
    struct text reason = {0};

    if (list->kind->number == ompd_cl_kind_activity) {
        count_add(&reason, list->unreadable, "inner one is", "inner ones are");
        text_put(&reason, " not known");
    } else {
        view_list_describe_unreadable(list, &reason);
    }
    json_unknown(json, key, reason.bytes);
    text_free(&reason);
}

void view_json_parts(struct json *json, const char *key, struct view_list *list,
                     const char *const *keys)
{
    const char *between = "[";
    struct view_row row;

    json_key(json, key);
    while (view_list_next(list, &row)) {
        text_put(json->text, between);
        add_part(list->view, json, &row, keys);
        between = ", ";
    }
    view_list_close(list);
    if (list->total != 0)
        text_put(json->text, "]");
    else
        text_put(json->text, list->unreadable != 0 || list->is_unknown ? "null" : "[]");
    if (list->unreadable != 0)
        add_unreadable(json, key, list);
    if (list->is_unknown)
        json_unknown(json, key, "not observed");
}

/* Add a list of another kind that belongs to ROW. */
static void add_parts(ompd_view_t *view, struct json *json, const struct view_row *row,
                      const char *key, ompd_cl_kind_t kind, const char *const *keys)
{
    struct view_list list;

    view_list_open_parts(&list, view, kind, row);
    view_json_parts(json, key, &list, keys);
}

static void add_empty(struct json *json, const char *key)
{
    json_key(json, key);
    text_put(json->text, "[]");
}

/* Add a list of unknown length, as VALUE says. */
static void json_row_unknown_add(struct json *json, const char *key, struct view_value value)
{
    struct text reason = {0};

    view_value_reason(value, &reason);
    json_null(json, key);
    json_unknown(json, key, reason.bytes);
    text_free(&reason);
}

static void json_row_destructors_add(ompd_view_t *view, struct json *json,
                                     const struct view_row *row)
{
    struct view_value count = view_row_value(row, "destructor_count");

    if (view_kind_field(row->kind, "destructor_count") == NULL)
        return;
    if (!view_value_is_known(count)) {
        json_row_unknown_add(json, "destructors", count);
    } else if (count.value != 0) {
        add_parts(view, json, row, "destructors", ompd_cl_kind_destructor, destructor_keys);
    } else {
        add_empty(json, "destructors");
        if (view_value_is_presumed(count))
            json_presumed(json, "destructors");
    }
}

static void add_activities(ompd_view_t *view, struct json *json, const struct view_row *row)
{
    struct view_value depth = view_row_value(row, "depth");

    if (view_value_is_known(depth) && depth.value == 0)
        add_empty(json, "activities");
    else
        add_parts(view, json, row, "activities", ompd_cl_kind_activity, NULL);
}

/* Add a list whose length is the field COUNTED, unknown if that was not observed. */
static void add_counted(ompd_view_t *view, struct json *json, const struct view_row *row,
                        const char *key, const char *counted, ompd_cl_kind_t kind)
{
    struct view_value count = view_row_value(row, counted);

    if (view_row_is_unrecorded(row, count))
        json_row_unknown_add(json, key, count);
    else
        add_parts(view, json, row, key, kind, NULL);
}

/* Add the arguments of a kernel, or of a command that runs one. */
static void json_row_arguments_add(ompd_view_t *view, struct json *json, const struct view_row *row)
{
    struct view_value count = view_row_value(row, "argument_count");

    if (view_kind_field(row->kind, "argument_count") == NULL ||
        count.status == ompd_cl_status_not_applicable)
        return;
    if (!view_value_is_known(count))
        json_row_unknown_add(json, "arguments", count);
    else if (count.value == 0)
        add_empty(json, "arguments");
    else
        add_parts(view, json, row, "arguments", ompd_cl_kind_argument, NULL);
}

/* Add what a command touches, or the SVM that a kernel uses besides its arguments. Recorders that
 * do not record the former do not record work sizes either. */
static void json_row_accesses_add(ompd_view_t *view, struct json *json, const struct view_row *row)
{
    struct view_value dimensions = view_row_value(row, "dimensions");

    if (row->kind->number == ompd_cl_kind_kernel)
        add_counted(view, json, row, "accesses", "svm_pointer_count", ompd_cl_kind_access);
    if (row->kind->number != ompd_cl_kind_command)
        return;
    if (dimensions.status == ompd_cl_status_unknown)
        json_row_unknown_add(json, "accesses", dimensions);
    else
        add_parts(view, json, row, "accesses", ompd_cl_kind_access, NULL);
}

/* Begin the JSON of ROW and its lists, in memory that the next row reuses. */
static void begin_row(struct json *json, ompd_view_t *view, const struct view_row *row)
{
    text_clear(&view->json);
    json_begin_line(json, &view->json);
    view_json_fields(view, json, row, NULL);
    json_row_destructors_add(view, json, row);
    if (row->kind->number == ompd_cl_kind_thread)
        add_activities(view, json, row);
    if (row->kind->number == ompd_cl_kind_svm_free)
        add_counted(view, json, row, "pointers", "pointer_count", ompd_cl_kind_svm_pointer);
    if (view_kind_field(row->kind, "wait_count") != NULL)
        add_counted(view, json, row, "wait_list", "wait_count", ompd_cl_kind_wait);
    json_row_arguments_add(view, json, row);
    json_row_accesses_add(view, json, row);
    if (view->options.has_contents)
        view_contents_add(json, view, row);
    if (view->options.image != NULL)
        view_picture_add(json, view, row);
}

static void end_row(ompd_view_t *view, struct json *json)
{
    json_end(json);
    if (view->failure == ompd_view_exit_ok)
        view_json_print(view, &view->json);
    if (view->json.capacity > ROW_KEPT)
        text_free(&view->json);
    text_clear(&view->json);
}

void view_json_row(ompd_view_t *view, const struct view_row *row)
{
    struct json json;

    begin_row(&json, view, row);
    end_row(view, &json);
}

void view_json_kept_row(ompd_view_t *view, const struct view_row *row, const struct view_kept *kept)
{
    struct json json;

    begin_row(&json, view, row);
    if (kept != NULL)
        view_kept_json_add(kept, &json);
    end_row(view, &json);
}

/* Add what keeps ROW's object alive, if anything. */
static void add_keepers(ompd_view_t *view, struct json *json, const struct view_row *row)
{
    struct view_keepers keepers = {0};
    const struct view_kept *kept;

    if (view_row_number(row, "state") != ompd_cl_object_state_app_released &&
        view_row_number(row, "map_count") == 0)
        return;
    view_keepers_find(&keepers, view, view_row_handle(row));
    kept = view_keepers_get(&keepers, row->kind->number, view_row_handle(row));
    if (kept != NULL)
        view_kept_json_add(kept, json);
    view_keepers_free(&keepers);
}

/* Add the commands in a command buffer, and those that use it or a semaphore. */
static void json_row_operations_add(ompd_view_t *view, struct json *json,
                                    const struct view_row *row)
{
    bool is_buffer = row->kind->number == ompd_cl_kind_command_buffer;

    if (is_buffer)
        add_parts(view, json, row, "recorded_commands", ompd_cl_kind_buffered_command, NULL);
    if (is_buffer || row->kind->number == ompd_cl_kind_semaphore)
        add_parts(view, json, row, "used_by", ompd_cl_kind_command, NULL);
}

/* Add what the runtime has reported about a context, if messages are recorded. */
static void json_row_messages_add(ompd_view_t *view, struct json *json, const struct view_row *row)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .context = view_row_handle(row)};
    struct view_list messages;

    view_list_open_optional(&messages, view, ompd_cl_kind_message, &filter);
    if (!messages.is_open && view->failure == ompd_view_exit_ok)
        messages.is_unknown = true;
    view_json_parts(json, "messages", &messages, NULL);
}

void view_json_object(ompd_view_t *view, const struct view_row *row)
{
    struct json json;

    begin_row(&json, view, row);
    if (row->kind->number == ompd_cl_kind_context)
        json_row_messages_add(view, &json, row);
    if (row->kind->number == ompd_cl_kind_embree_scene)
        add_parts(view, &json, row, "attached_geometries", ompd_cl_kind_embree_geometry, NULL);
    else if (row->kind->number == ompd_cl_kind_embree_geometry)
        add_parts(view, &json, row, "bound_buffers", ompd_cl_kind_embree_buffer, NULL);
    else if (!view_kind_is_embree(row->kind->number))
        add_keepers(view, &json, row);
    json_row_operations_add(view, &json, row);
    end_row(view, &json);
}

void view_json_queue(ompd_view_t *view, const struct view_row *queue)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .queue = view_row_number(queue, "handle")};
    struct view_list commands;
    struct json json;

    begin_row(&json, view, queue);
    view_list_open_optional(&commands, view, ompd_cl_kind_command, &filter);
    if (!commands.is_open && view->failure == ompd_view_exit_ok)
        commands.is_unknown = true;
    view_json_parts(&json, "commands", &commands, NULL);
    add_keepers(view, &json, queue);
    end_row(view, &json);
}

/* Print the line for UNREADABLE rows that are missing for REASON; 0 if some may be missing. */
static void print_missing(ompd_view_t *view, uint64_t unreadable, const char *reason)
{
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_number(&json, "unreadable", (int64_t)unreadable);
    json_unknown(&json, "rows", reason);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

void view_json_missing(const struct view_list *list)
{
    struct text reason = {0};

    if ((list->unreadable == 0 && !list->is_short) || list->view->failure != ompd_view_exit_ok)
        return;
    if (list->unreadable != 0)
        view_list_describe_unreadable(list, &reason);
    if (list->is_short)
        view_incompleteness_join(list->view, &reason);
    print_missing(list->view, list->unreadable, reason.bytes);
    text_free(&reason);
}

/* Print a line saying that there may be more rows, for REASON. */
static void print_unlooked(ompd_view_t *view, const char *reason)
{
    print_missing(view, 0, reason);
}

void view_json_unknown_parts(ompd_view_t *view, struct view_value value)
{
    struct text reason = {0};

    view_value_reason(value, &reason);
    if (view->failure == ompd_view_exit_ok)
        print_missing(view, 0, reason.bytes);
    text_free(&reason);
}

void view_json_freed(const struct view_list *list)
{
    ompd_view_t *view = list->view;
    struct text freed;

    if (view->failure != ompd_view_exit_ok || !list->has_incompleteness || list->is_short ||
        list->unreadable != 0)
        return;
    freed = view_incompleteness_take_freed(view);
    if (freed.length != 0)
        print_unlooked(view, freed.bytes);
    text_free(&freed);
}
