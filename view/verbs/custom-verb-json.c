/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions for a front end's own verbs: JSON. */
#include <view/verbs/verbs.h>

#include <string.h>

struct json_call {
    struct view_call call;
    const char *key;
    bool is_array;
    const ompd_view_value_t *value;
    ompd_cl_kind_t kind;
    const void *row;
};

/* The innermost open object or array, or NULL. */
static struct json *custom_json_innermost(struct view_custom_verb *custom)
{
    return custom->depth != 0 ? &custom->open[custom->depth - 1] : NULL;
}

/* Whether KEY is a word that needs no escape and that the view does not write itself. */
static bool is_key(const char *key)
{
    static const char *const taken[] = {"schema", "unknown", "presumed", "at_least"};
    size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
        if (strcmp(key, taken[i]) == 0)
            return false;
    return length != 0 && key[length] == '\0';
}

/* Whether JSON allows what CALL adds at this point. */
static bool has_place(const struct json_call *call)
{
    const struct json *json = custom_json_innermost(call->call.custom);

    if (!call->call.view->options.is_json)
        return false;
    if (json == NULL || json->is_array)
        return call->key == NULL;
    return call->key != NULL && is_key(call->key);
}

static void custom_json_begin(void *argument)
{
    struct json_call *call = argument;
    struct view_custom_verb *custom = call->call.custom;
    struct json *outer = custom_json_innermost(custom);
    struct json *json = &custom->open[custom->depth];

    if (!has_place(call) || custom->depth == VIEW_JSON_DEPTH || (outer == NULL && call->is_array)) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    if (outer != NULL)
        json_key(outer, call->key);
    if (outer == NULL)
        json_begin_line(json, &custom->line);
    else if (call->is_array)
        json_begin_array(json, &custom->line);
    else
        json_begin(json, &custom->line);
    custom->depth++;
}

PUBLIC ompd_rc_t ompd_view_json_begin(ompd_view_t *view, const char *key, bool is_array)
{
    struct json_call call = {.call = {.view = view}, .key = key, .is_array = is_array};

    return view_call_run(&call.call, custom_json_begin);
}

static void custom_json_value_add(void *argument)
{
    struct json_call *call = argument;
    struct json *json = custom_json_innermost(call->call.custom);
    ompd_view_t *view = call->call.view;
    struct view_value known;
    ompd_cl_field_t field;

    if (json != NULL && has_place(call) && call->value == NULL) {
        json_null(json, call->key);
        return;
    }
    if (json == NULL || !has_place(call) || !view_custom_value(call->value, &known) ||
        (json->is_array && known.status != ompd_cl_status_value)) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    field = view_custom_field(call->key, call->value->type);
    if (field.type == ompd_cl_type_stack && view_value_is_known(known)) {
        view_json_stack(view, json, call->key, call->value->frames, call->value->frame_count);
        return;
    }
    /* An array has only the address. */
    if (json->is_array && field.type == ompd_cl_type_function)
        field.type = ompd_cl_type_caller;
    view_json_value(view, json, &field, known);
    if (!json->is_array && field.type == ompd_cl_type_caller && known.value != 0)
        view_json_site(view, json, known.value);
}

PUBLIC ompd_rc_t ompd_view_json_value_add(ompd_view_t *view, const char *key,
                                          const ompd_view_value_t *value)
{
    struct json_call call = {.call = {.view = view}, .key = key, .value = value};

    return view_call_run(&call.call, custom_json_value_add);
}

static void custom_json_row_add(void *argument)
{
    struct json_call *call = argument;
    struct json *json = custom_json_innermost(call->call.custom);
    struct view_object object;

    if (json == NULL || json->is_array || !view_object_copy(&object, call->kind, call->row))
        call->call.rc = ompd_rc_bad_input;
    else
        view_json_fields(call->call.view, json, &object.row, NULL);
}

PUBLIC ompd_rc_t ompd_view_json_row_add(ompd_view_t *view, ompd_cl_kind_t kind, const void *row)
{
    struct json_call call = {.call = {.view = view}, .kind = kind, .row = row};

    return view_call_run(&call.call, custom_json_row_add);
}

static void custom_json_end(void *argument)
{
    struct view_call *call = argument;
    struct view_custom_verb *custom = call->custom;

    if (custom->depth == 0) {
        call->rc = ompd_rc_bad_input;
        return;
    }
    json_end(&custom->open[--custom->depth]);
    if (custom->depth != 0)
        return;
    view_interrupt_check(call->view);
    view_json_print(call->view, &custom->line);
}

PUBLIC ompd_rc_t ompd_view_json_end(ompd_view_t *view)
{
    struct view_call call = {.view = view};

    return view_call_run(&call, custom_json_end);
}
