/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows as JSON with what belongs to them. */
#include <host/command/json.h>

#include <host/command/gaps.h>
#include <host/command/size.h>
#include <inttypes.h>

/* A destructor callback within its object: what identifies one, and how far it has come. */
static const char *const destructor_keys[] = {"function", "user_data",   "state",
                                              "lwp",      "running_lwp", NULL};

/* Add one of the rows within another: an object, or of an event that is waited for its handle. */
static void add_part(struct command_json *json, const struct command_row *row,
                     const char *const *keys)
{
    struct command_json part;
    struct command_value event;

    if (row->kind->number != ompd_cl_kind_wait) {
        command_json_begin_part(&part, json->session, json->text);
        command_json_fields(&part, row, keys);
        command_json_end(&part);
        return;
    }
    event = command_row_value(row, "event");
    if (command_value_is_known(event))
        command_text_add(json->text, "\"0x%" PRIx64 "\"", event.value);
    else
        command_text_add(json->text, "null");
}

/* Say why some of LIST are missing. */
static void add_unreadable(struct command_json *json, const char *key,
                           const struct command_list *list)
{
    struct command_text reason = {0};

    if (list->kind->number == ompd_cl_kind_activity) {
        command_count_add(&reason, list->unreadable, "inner one is", "inner ones are");
        command_text_add(&reason, " not known");
    } else {
        command_list_describe_unreadable(list, &reason);
    }
    command_json_unknown(json, key, reason.bytes);
    command_text_free(&reason);
}

void command_json_parts(struct command_json *json, const char *key, struct command_list *list,
                        const char *const *keys)
{
    const char *between = "[";
    struct command_row row;

    command_json_key(json, key);
    while (command_list_next(list, &row)) {
        command_text_add(json->text, "%s", between);
        add_part(json, &row, keys);
        between = ", ";
    }
    command_list_close(list);
    if (list->total != 0)
        command_text_add(json->text, "]");
    else
        command_text_add(json->text, list->unreadable != 0 || list->is_unknown ? "null" : "[]");
    if (list->unreadable != 0)
        add_unreadable(json, key, list);
    if (list->is_unknown)
        command_json_unknown(json, key, "not observed");
}

/* Add what belongs to ROW and is a list of a kind of its own. */
static void add_parts(struct command_json *json, const struct command_row *row, const char *key,
                      ompd_cl_kind_t kind, const char *const *keys)
{
    struct command_list list;

    command_list_open_parts(&list, json->session, kind, row);
    command_json_parts(json, key, &list, keys);
}

static void add_empty(struct command_json *json, const char *key)
{
    command_json_key(json, key);
    command_text_add(json->text, "[]");
}

/* Add a list of which is not known how many elements it has, as VALUE says. */
static void add_unknown(struct command_json *json, const char *key, struct command_value value)
{
    struct command_text reason = {0};

    command_value_reason(value, &reason);
    command_json_null(json, key);
    command_json_unknown(json, key, reason.bytes);
    command_text_free(&reason);
}

static void add_destructors(struct command_json *json, const struct command_row *row)
{
    struct command_value count = command_row_value(row, "destructor_count");

    if (command_kind_field(row->kind, "destructor_count") == NULL)
        return;
    if (!command_value_is_known(count)) {
        add_unknown(json, "destructors", count);
    } else if (count.value != 0) {
        add_parts(json, row, "destructors", ompd_cl_kind_destructor, destructor_keys);
    } else {
        add_empty(json, "destructors");
        if (command_value_is_presumed(count))
            command_json_presumed(json, "destructors");
    }
}

static void add_activities(struct command_json *json, const struct command_row *row)
{
    struct command_value depth = command_row_value(row, "depth");

    if (command_value_is_known(depth) && depth.value == 0)
        add_empty(json, "activities");
    else
        add_parts(json, row, "activities", ompd_cl_kind_activity, NULL);
}

/* Add a list whose number of elements is the field COUNTED: unknown when that was not observed. */
static void add_counted(struct command_json *json, const struct command_row *row, const char *key,
                        const char *counted, ompd_cl_kind_t kind)
{
    struct command_value count = command_row_value(row, counted);

    if (command_row_is_unrecorded(row, count))
        add_unknown(json, key, count);
    else
        add_parts(json, row, key, kind, NULL);
}

void command_json_row(struct command_session *session, const struct command_row *row)
{
    struct command_text text = {0};
    struct command_json json;

    command_json_begin(&json, session, &text);
    command_json_fields(&json, row, NULL);
    add_destructors(&json, row);
    if (row->kind->number == ompd_cl_kind_thread)
        add_activities(&json, row);
    if (row->kind->number == ompd_cl_kind_svm_free) {
        add_counted(&json, row, "pointers", "pointer_count", ompd_cl_kind_svm_pointer);
        add_counted(&json, row, "wait_list", "wait_count", ompd_cl_kind_wait);
    }
    command_json_end(&json);
    if (session->failure == command_exit_ok)
        command_json_print(session, &text);
    command_text_free(&text);
}

/* Print the line for UNREADABLE rows that are missing for REASON, or that not all are there. */
static void print_missing(struct command_session *session, uint64_t unreadable, const char *reason)
{
    struct command_text text = {0};
    struct command_json json;

    command_json_begin(&json, session, &text);
    command_json_number(&json, "unreadable", (int64_t)unreadable);
    command_json_unknown(&json, "rows", reason);
    command_json_end(&json);
    command_json_print(session, &text);
    command_text_free(&text);
}

void command_json_missing(const struct command_list *list)
{
    struct command_text reason = {0};

    if ((list->unreadable == 0 && !list->is_short) || list->session->failure != command_exit_ok)
        return;
    if (list->unreadable != 0)
        command_list_describe_unreadable(list, &reason);
    if (list->is_short)
        command_gaps_join(list->session, &reason);
    print_missing(list->session, list->unreadable, reason.bytes);
    command_text_free(&reason);
}

void command_json_untold(struct command_session *session, struct command_value value)
{
    struct command_text reason = {0};

    command_value_reason(value, &reason);
    if (session->failure == command_exit_ok)
        print_missing(session, 0, reason.bytes);
    command_text_free(&reason);
}
