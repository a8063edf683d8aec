/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See json.h. */
#include <host/command/json.h>

#include <host/command/place.h>
#include <inttypes.h>
#include <string.h>

void command_json_begin_part(struct command_json *json, struct command_session *session,
                             struct command_text *text)
{
    *json = (struct command_json){.session = session, .text = text};
    command_text_add(text, "{");
}

void command_json_begin(struct command_json *json, struct command_session *session,
                        struct command_text *text)
{
    command_json_begin_part(json, session, text);
    command_json_number(json, "schema", COMMAND_SCHEMA);
}

void command_json_end(struct command_json *json)
{
    if (json->unknown.length != 0) {
        command_json_key(json, "unknown");
        command_text_add(json->text, "{%s}", json->unknown.bytes);
    }
    if (json->presumed.length != 0) {
        command_json_key(json, "presumed");
        command_text_add(json->text, "[%s]", json->presumed.bytes);
    }
    if (json->at_least.length != 0) {
        command_json_key(json, "at_least");
        command_text_add(json->text, "[%s]", json->at_least.bytes);
    }
    command_text_add(json->text, "}");
    command_text_free(&json->unknown);
    command_text_free(&json->presumed);
    command_text_free(&json->at_least);
}

void command_json_print(struct command_session *session, struct command_text *text)
{
    fprintf(session->output, "%s\n", command_text_get(text));
    command_text_clear(text);
}

void command_json_key(struct command_json *json, const char *key)
{
    if (json->has_keys)
        command_text_add(json->text, ", ");
    json->has_keys = true;
    command_json_quote(json->text, key);
    command_text_add(json->text, ": ");
}

void command_json_string(struct command_json *json, const char *key, const char *value)
{
    command_json_key(json, key);
    command_json_quote(json->text, value);
}

void command_json_number(struct command_json *json, const char *key, int64_t value)
{
    command_json_key(json, key);
    command_text_add(json->text, "%" PRId64, value);
}

void command_json_hexadecimal(struct command_json *json, const char *key, uint64_t value)
{
    command_json_key(json, key);
    command_text_add(json->text, "\"0x%" PRIx64 "\"", value);
}

void command_json_boolean(struct command_json *json, const char *key, bool value)
{
    command_json_key(json, key);
    command_text_add(json->text, value ? "true" : "false");
}

void command_json_null(struct command_json *json, const char *key)
{
    command_json_key(json, key);
    command_text_add(json->text, "null");
}

void command_json_unknown(struct command_json *json, const char *key, const char *reason)
{
    if (json->unknown.length != 0)
        command_text_add(&json->unknown, ", ");
    command_json_quote(&json->unknown, key);
    command_text_add(&json->unknown, ": ");
    command_json_quote(&json->unknown, reason);
}

/* Add KEY to a list of keys whose values have something in common. */
static void add_name_to(struct command_text *keys, const char *key)
{
    if (keys->length != 0)
        command_text_add(keys, ", ");
    command_json_quote(keys, key);
}

void command_json_place(struct command_json *json, uint64_t address, bool is_caller)
{
    ompd_host_place_t place = command_place_get(json->session, address, is_caller);

    if (place.symbol != NULL)
        command_json_string(json, "symbol", place.symbol);
    if (place.symbol != NULL && place.symbol_offset != 0)
        command_json_number(json, "symbol_offset", (int64_t)place.symbol_offset);
    if (place.inlined_count != 0) {
        command_json_key(json, "inlined_into");
        for (size_t i = 0; i < place.inlined_count; i++) {
            command_text_add(json->text, i == 0 ? "[" : ", ");
            command_json_quote(json->text, place.inlined_into[i]);
        }
        command_text_add(json->text, "]");
    }
    if (place.file != NULL) {
        command_json_string(json, "file", place.file);
        command_json_number(json, "line", place.line);
    } else if (place.module != NULL) {
        command_json_string(json, "module", place.module);
        command_json_hexadecimal(json, "module_offset", place.module_offset);
    }
}

void command_json_stack(struct command_json *json, const char *key, const ompd_addr_t *frames,
                        size_t count)
{
    command_json_key(json, key);
    command_text_add(json->text, "[");
    for (size_t i = 0; i < count; i++) {
        struct command_json frame;

        if (i != 0)
            command_text_add(json->text, ", ");
        command_json_begin_part(&frame, json->session, json->text);
        command_json_hexadecimal(&frame, "address", frames[i]);
        command_json_place(&frame, frames[i], true);
        command_json_end(&frame);
    }
    command_text_add(json->text, "]");
}

/* Add a set of bits as an array of names, and as a number. */
static void add_flags(struct command_json *json, const ompd_cl_field_t *field, uint64_t value)
{
    struct command_text number_key = {0};
    uint64_t rest = value;
    const char *between = "";

    command_json_key(json, field->name);
    command_text_add(json->text, "[");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = field->names[i].value;

        if (bit == 0 || (rest & bit) != bit)
            continue;
        command_text_add(json->text, "%s", between);
        command_json_quote(json->text, field->names[i].name);
        between = ", ";
        rest &= ~bit;
    }
    if (rest != 0)
        command_text_add(json->text, "%s\"0x%" PRIx64 "\"", between, rest);
    command_text_add(json->text, "]");
    command_text_add(&number_key, "%s_value", field->name);
    command_json_key(json, number_key.bytes);
    command_text_add(json->text, "%" PRIu64, value);
    command_text_free(&number_key);
}

static void add_stack(struct command_json *json, const char *key, uint64_t stack)
{
    ompd_addr_t frames[COMMAND_STACK_FRAMES];

    command_json_stack(json, key, frames, command_stack_get(json->session, stack, frames));
}

static void add_name(struct command_json *json, const ompd_cl_field_t *field, uint64_t value)
{
    const char *name = command_field_name(field, value);

    if (name != NULL) {
        command_json_string(json, field->name, name);
        return;
    }
    command_json_key(json, field->name);
    command_text_add(json->text, "\"%" PRIu64 "\"", value);
}

/* Add a known value. */
static void add_value(struct command_json *json, const ompd_cl_field_t *field,
                      struct command_value value)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        command_json_string(json, field->name, value.text);
        break;
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        command_json_hexadecimal(json, field->name, value.value);
        if (field->type == ompd_cl_type_function && value.value != 0)
            command_json_place(json, value.value, false);
        break;
    case ompd_cl_type_flags:
        add_flags(json, field, value.value);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        add_name(json, field, value.value);
        break;
    case ompd_cl_type_boolean:
        command_json_boolean(json, field->name, value.value != 0);
        break;
    case ompd_cl_type_stack:
        add_stack(json, field->name, value.value);
        break;
    default:
        command_json_number(json, field->name, (int64_t)value.value);
        break;
    }
}

void command_json_presumed(struct command_json *json, const char *key)
{
    add_name_to(&json->presumed, key);
}

static void add_field(struct command_json *json, const ompd_cl_field_t *field,
                      struct command_value value)
{
    if (command_value_is_absent(value))
        return;
    if (!command_value_is_known(value)) {
        struct command_text reason = {0};

        command_value_reason(value, &reason);
        command_json_null(json, field->name);
        command_json_unknown(json, field->name, reason.bytes);
        command_text_free(&reason);
        return;
    }
    if (command_value_is_presumed(value))
        command_json_presumed(json, field->name);
    if (value.status == ompd_cl_status_at_least)
        add_name_to(&json->at_least, field->name);
    add_value(json, field, value);
}

static bool is_among(const char *name, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        if (strcmp(*keys, name) == 0)
            return true;
    return false;
}

void command_json_fields(struct command_json *json, const struct command_row *row,
                         const char *const *keys)
{
    for (size_t i = 0; i < row->kind->field_count; i++) {
        const ompd_cl_field_t *field = row->kind->fields[i];

        if (keys == NULL || is_among(field->name, keys))
            add_field(json, field, command_row_field(row, field));
    }
}
