/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See json.h. */
#include <view/json.h>

#include <inttypes.h>
#include <string.h>
#include <view/place.h>

void view_json_begin_part(struct view_json *json, ompd_view_t *view, struct view_text *text)
{
    *json = (struct view_json){.view = view, .text = text};
    view_text_put(text, "{");
}

void view_json_begin(struct view_json *json, ompd_view_t *view, struct view_text *text)
{
    view_json_begin_part(json, view, text);
    view_json_number(json, "schema", VIEW_SCHEMA);
}

void view_json_end(struct view_json *json)
{
    if (json->unknown.length != 0) {
        view_json_key(json, "unknown");
        view_text_add(json->text, "{%s}", json->unknown.bytes);
    }
    if (json->presumed.length != 0) {
        view_json_key(json, "presumed");
        view_text_add(json->text, "[%s]", json->presumed.bytes);
    }
    if (json->at_least.length != 0) {
        view_json_key(json, "at_least");
        view_text_add(json->text, "[%s]", json->at_least.bytes);
    }
    view_text_put(json->text, "}");
    view_text_free(&json->unknown);
    view_text_free(&json->presumed);
    view_text_free(&json->at_least);
}

void view_json_print(ompd_view_t *view, struct view_text *text)
{
    bool is_array = view->front_end.json_is_array;

    if (is_array)
        view_write(view, view->rows_written == 0 ? "[" : ",\n ");
    view_write(view, view_text_get(text));
    if (!is_array)
        view_write(view, "\n");
    view_row_written(view);
    view_text_clear(text);
}

void view_json_array_end(ompd_view_t *view)
{
    bool is_whole = view->failure == ompd_view_exit_ok ||
                    view->failure == ompd_view_exit_incomplete ||
                    view->failure == ompd_view_exit_findings;

    if (!view->front_end.json_is_array || !view->options.is_json)
        return;
    /* One that broke off gets no valid end. */
    if (is_whole)
        view_write(view, view->rows_written == 0 ? "[]\n" : "]\n");
    else if (view->rows_written != 0)
        view_write(view, "\n");
}

/* Add KEY, which is one of ours: nothing in it needs an escape. */
static void put_key(struct view_text *text, const char *key)
{
    view_text_append(text, "\"", 1);
    view_text_put(text, key);
    view_text_append(text, "\": ", 3);
}

void view_json_key(struct view_json *json, const char *key)
{
    if (json->has_keys)
        view_text_put(json->text, ", ");
    json->has_keys = true;
    put_key(json->text, key);
}

void view_json_string(struct view_json *json, const char *key, const char *value)
{
    view_json_key(json, key);
    view_json_quote(json->text, value);
}

void view_json_number(struct view_json *json, const char *key, int64_t value)
{
    view_json_key(json, key);
    if (value < 0)
        view_text_put(json->text, "-");
    view_text_put_number(json->text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void view_json_hexadecimal(struct view_json *json, const char *key, uint64_t value)
{
    view_json_key(json, key);
    view_text_put(json->text, "\"");
    view_text_put_hexadecimal(json->text, value);
    view_text_put(json->text, "\"");
}

void view_json_boolean(struct view_json *json, const char *key, bool value)
{
    view_json_key(json, key);
    view_text_add(json->text, value ? "true" : "false");
}

void view_json_null(struct view_json *json, const char *key)
{
    view_json_key(json, key);
    view_text_put(json->text, "null");
}

void view_json_unknown(struct view_json *json, const char *key, const char *reason)
{
    if (json->unknown.length != 0)
        view_text_put(&json->unknown, ", ");
    put_key(&json->unknown, key);
    view_json_quote(&json->unknown, reason);
}

/* Add KEY to a list of keys whose values have something in common. */
static void add_name_to(struct view_text *keys, const char *key)
{
    if (keys->length != 0)
        view_text_put(keys, ", ");
    view_json_quote(keys, key);
}

void view_json_place(struct view_json *json, uint64_t address, bool is_caller)
{
    const ompd_view_place_t *place = view_place_get(json->view, address, is_caller);

    if (place->symbol != NULL)
        view_json_string(json, "symbol", place->symbol);
    if (place->symbol != NULL && place->symbol_offset != 0)
        view_json_number(json, "symbol_offset", (int64_t)place->symbol_offset);
    if (place->inlined_count != 0) {
        view_json_key(json, "inlined_into");
        for (size_t i = 0; i < place->inlined_count; i++) {
            view_text_add(json->text, i == 0 ? "[" : ", ");
            view_json_quote(json->text, place->inlined_into[i]);
        }
        view_text_put(json->text, "]");
    }
    if (place->file != NULL) {
        view_json_string(json, "file", place->file);
        view_json_number(json, "line", place->line);
    } else if (place->module != NULL) {
        view_json_string(json, "module", place->module);
        if (place->has_module_offset)
            view_json_hexadecimal(json, "module_offset", place->module_offset);
    }
}

void view_json_stack(struct view_json *json, const char *key, const ompd_addr_t *frames,
                     size_t count)
{
    view_json_key(json, key);
    view_text_put(json->text, "[");
    for (size_t i = 0; i < count; i++) {
        struct view_json frame;

        if (i != 0)
            view_text_put(json->text, ", ");
        view_json_begin_part(&frame, json->view, json->text);
        view_json_hexadecimal(&frame, "address", frames[i]);
        view_json_place(&frame, frames[i], true);
        view_json_end(&frame);
    }
    view_text_put(json->text, "]");
}

/* Add a set of bits as an array of names, and as a number. */
static void add_flags(struct view_json *json, const ompd_cl_field_t *field, uint64_t value)
{
    struct view_text number_key = {0};
    uint64_t rest = value;
    const char *between = "";

    view_json_key(json, field->name);
    view_text_put(json->text, "[");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = field->names[i].value;

        if (bit == 0 || (rest & bit) != bit)
            continue;
        view_text_put(json->text, between);
        view_json_quote(json->text, field->names[i].name);
        between = ", ";
        rest &= ~bit;
    }
    if (rest != 0)
        view_text_add(json->text, "%s\"0x%" PRIx64 "\"", between, rest);
    view_text_put(json->text, "]");
    view_text_add(&number_key, "%s_value", field->name);
    view_json_key(json, number_key.bytes);
    view_text_put_number(json->text, value);
    view_text_free(&number_key);
}

static void add_stack(struct view_json *json, const char *key, uint64_t stack)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];

    view_json_stack(json, key, frames, view_stack_get(json->view, stack, frames));
}

static void add_name(struct view_json *json, const ompd_cl_field_t *field, uint64_t value)
{
    const char *name = view_field_name(field, value);

    if (name != NULL) {
        view_json_string(json, field->name, name);
        return;
    }
    view_json_key(json, field->name);
    view_text_add(json->text, "\"%" PRIu64 "\"", value);
}

/* Add a known value. */
static void add_value(struct view_json *json, const ompd_cl_field_t *field, struct view_value value)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        view_json_string(json, field->name, value.text);
        break;
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        view_json_hexadecimal(json, field->name, value.value);
        if (field->type == ompd_cl_type_function && value.value != 0)
            view_json_place(json, value.value, false);
        break;
    case ompd_cl_type_flags:
        add_flags(json, field, value.value);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        add_name(json, field, value.value);
        break;
    case ompd_cl_type_boolean:
        view_json_boolean(json, field->name, value.value != 0);
        break;
    case ompd_cl_type_stack:
        add_stack(json, field->name, value.value);
        break;
    default:
        view_json_number(json, field->name, (int64_t)value.value);
        break;
    }
}

void view_json_presumed(struct view_json *json, const char *key)
{
    add_name_to(&json->presumed, key);
}

void view_json_at_least(struct view_json *json, const char *key)
{
    add_name_to(&json->at_least, key);
}

static void add_field(struct view_json *json, const ompd_cl_field_t *field, struct view_value value)
{
    if (view_value_is_absent(value))
        return;
    if (!view_value_is_known(value)) {
        struct view_text reason = {0};

        view_value_reason(value, &reason);
        view_json_null(json, field->name);
        view_json_unknown(json, field->name, reason.bytes);
        view_text_free(&reason);
        return;
    }
    if (view_value_is_presumed(value))
        view_json_presumed(json, field->name);
    if (value.status == ompd_cl_status_at_least)
        view_json_at_least(json, field->name);
    add_value(json, field, value);
}

static bool is_among(const char *name, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        if (strcmp(*keys, name) == 0)
            return true;
    return false;
}

void view_json_fields(struct view_json *json, const struct view_row *row, const char *const *keys)
{
    for (size_t i = 0; i < row->kind->field_count; i++) {
        const ompd_cl_field_t *field = row->kind->fields[i];

        if (keys == NULL || is_among(field->name, keys))
            add_field(json, field, view_row_field(row, field));
    }
}
