/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void view_json_print(ompd_view_t *view, struct text *text)
{
    bool is_array = view->front_end.json_is_array;

    if (is_array)
        view_write(view, view->rows_written == 0 ? "[" : ",\n ");
    view_write(view, text_get(text));
    if (!is_array)
        view_write(view, "\n");
    view_row_written(view);
    text_clear(text);
}

void view_json_array_end(ompd_view_t *view)
{
    bool is_whole = view->failure == ompd_view_exit_ok ||
                    view->failure == ompd_view_exit_incomplete ||
                    view->failure == ompd_view_exit_findings;

    if (!view->front_end.json_is_array || !view->options.is_json)
        return;
    /* Unfinished output must not get a valid end. */
    if (is_whole)
        view_write(view, view->rows_written == 0 ? "[]\n" : "]\n");
    else if (view->rows_written != 0)
        view_write(view, "\n");
}

/* Add the functions into which LEVEL of PLACE is inlined, and their call locations. */
static void add_inlined(struct json *json, const ompd_view_place_t *place, size_t level)
{
    struct json inlined;

    if (place->inlined_count <= level)
        return;
    json_key(json, "inlined_into");
    json_begin_array(&inlined, json->text);
    for (size_t i = level; i < place->inlined_count; i++)
        json_string(&inlined, NULL, place->inlined_into[i]);
    json_end(&inlined);
    if (place->inlined_at == NULL)
        return;
    json_key(json, "inlined_at");
    json_begin_array(&inlined, json->text);
    for (size_t i = level; i < place->inlined_count; i++) {
        struct json line;

        json_key(&inlined, NULL);
        json_begin(&line, json->text);
        if (place->inlined_at[i].file != NULL)
            json_string(&line, "file", place->inlined_at[i].file);
        if (place->inlined_at[i].line != 0)
            json_number(&line, "line", place->inlined_at[i].line);
        json_end(&line);
    }
    json_end(&inlined);
}

/* Add the data about a code address: symbol, symbol_offset, file and line, module, ... */
static void json_field_place_add(ompd_view_t *view, struct json *json, uint64_t address,
                                 bool is_caller)
{
    const ompd_view_place_t *place = view_location_get(view, address, is_caller);

    if (place->symbol != NULL)
        json_string(json, "symbol", place->symbol);
    if (place->symbol != NULL && place->symbol_offset != 0)
        json_number(json, "symbol_offset", (int64_t)place->symbol_offset);
    add_inlined(json, place, 0);
    if (place->file != NULL) {
        json_string(json, "file", place->file);
        json_number(json, "line", place->line);
    } else if (place->module != NULL) {
        json_string(json, "module", place->module);
        if (place->has_module_offset)
            json_hexadecimal(json, "module_offset", place->module_offset);
    }
}

void view_json_site(ompd_view_t *view, struct json *json, uint64_t address)
{
    struct view_site site = view_site_get(view, address, 0);
    const ompd_view_place_t *place = view_location_get(view, address, true);
    const ompd_view_line_place_t *line;

    if (site.level == 0) {
        json_field_place_add(view, json, address, true);
        return;
    }
    json_string(json, "symbol", place->inlined_into[site.level - 1]);
    add_inlined(json, place, site.level);
    line = place->inlined_at != NULL ? &place->inlined_at[site.level - 1] : NULL;
    if (line == NULL || line->file == NULL)
        return;
    json_string(json, "file", line->file);
    if (line->line != 0)
        json_number(json, "line", line->line);
}

void view_json_stack(ompd_view_t *view, struct json *json, const char *key,
                     const ompd_addr_t *frames, size_t count)
{
    struct json all;

    json_key(json, key);
    json_begin_array(&all, json->text);
    for (size_t i = 0; i < count; i++) {
        struct json frame;

        json_key(&all, NULL);
        json_begin(&frame, json->text);
        json_hexadecimal(&frame, "address", frames[i]);
        json_field_place_add(view, &frame, frames[i], true);
        if (view_location_own_level(view, frames[i]) != 0)
            json_boolean(&frame, "is_binding", true);
        json_end(&frame);
    }
    json_end(&all);
}

static bool json_field_is_among(const char *name, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        if (view_name_is(*keys, name))
            return true;
    return false;
}

/* Add a set of bits as an array of names, and as a number. */
static void json_field_flags_add(struct json *json, const ompd_cl_field_t *field, uint64_t value)
{
    char number_key[64];
    uint64_t rest = value;
    const char *between = "";

    json_key(json, field->name);
    text_put(json->text, "[");
    for (uint32_t i = 0; i < field->name_count; i++) {
        uint64_t bit = ompd_cl_field_name_at(field, i)->value;

        if (bit == 0 || (rest & bit) != bit)
            continue;
        text_put(json->text, between);
        json_quote(json->text, ompd_cl_field_name_at(field, i)->name);
        between = ", ";
        rest &= ~bit;
    }
    if (rest != 0)
        text_add(json->text, "%s\"0x%" PRIx64 "\"", between, rest);
    text_put(json->text, "]");
    snprintf(number_key, sizeof(number_key), "%s_value", field->name);
    json_key(json, number_key);
    text_put_number(json->text, value);
}

static void json_field_stack_add(ompd_view_t *view, struct json *json, const char *key,
                                 uint64_t stack)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];

    view_json_stack(view, json, key, frames, view_stack_get(view, stack, frames));
}

static void json_field_name_add(struct json *json, const ompd_cl_field_t *field, uint64_t value)
{
    const char *name = view_field_name(field, value);

    if (name != NULL) {
        json_string(json, field->name, name);
        return;
    }
    json_key(json, field->name);
    text_add(json->text, "\"%" PRIu64 "\"", value);
}

static void add_text(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                     struct view_value value)
{
    struct text whole = {0};

    if (!view_text_read(view, value, &whole))
        json_at_least(json, field->name);
    json_string(json, field->name, text_get(&whole));
    text_free(&whole);
}

/* Whether FIELD is one of several functions of its row, so that its place needs a key of its own.
 */
static bool json_field_is_one_of_several(const ompd_cl_field_t *field)
{
    static const char *const names[] = {"monitor", "error_function", "progress_function", NULL};

    return json_field_is_among(field->name, names);
}

/* Add the place of the function at ADDRESS in FIELD. */
static void json_field_function_add(ompd_view_t *view, struct json *json,
                                    const ompd_cl_field_t *field, uint64_t address)
{
    char key[64];
    struct json place;

    if (address == 0)
        return;
    if (!json_field_is_one_of_several(field)) {
        json_field_place_add(view, json, address, false);
        return;
    }
    snprintf(key, sizeof(key), "%s_place", field->name);
    json_key(json, key);
    json_begin(&place, json->text);
    json_field_place_add(view, &place, address, false);
    json_end(&place);
}

static void json_field_value_add(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                                 struct view_value value)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_text:
        add_text(view, json, field, value);
        break;
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        json_hexadecimal(json, field->name, value.value);
        if (field->type == ompd_cl_type_function)
            json_field_function_add(view, json, field, value.value);
        break;
    case ompd_cl_type_flags:
        json_field_flags_add(json, field, value.value);
        break;
    case ompd_cl_type_name:
    case ompd_cl_type_state:
        json_field_name_add(json, field, value.value);
        break;
    case ompd_cl_type_boolean:
        json_boolean(json, field->name, value.value != 0);
        break;
    case ompd_cl_type_stack:
        json_field_stack_add(view, json, field->name, value.value);
        break;
    case ompd_cl_type_duration:
        json_seconds(json, field->name, value.value);
        break;
    default:
        json_number(json, field->name, (int64_t)value.value);
        break;
    }
}

void view_json_value(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                     struct view_value value)
{
    if (view_value_is_absent(value))
        return;
    if (!view_value_is_known(value)) {
        struct text reason = {0};

        view_value_reason(value, &reason);
        json_null(json, field->name);
        json_unknown(json, field->name, reason.bytes);
        text_free(&reason);
        return;
    }
    if (view_value_is_presumed(value))
        json_presumed(json, field->name);
    if (value.status == ompd_cl_status_at_least && !value.is_text)
        json_at_least(json, field->name);
    json_field_value_add(view, json, field, value);
}

void view_json_fields(ompd_view_t *view, struct json *json, const struct view_row *row,
                      const char *const *keys)
{
    for (size_t i = 0; i < row->kind->field_count; i++) {
        const ompd_cl_field_t *field = row->kind->fields[i];

        if (keys == NULL || json_field_is_among(field->name, keys))
            view_json_value(view, json, field, view_row_field(row, field));
    }
}
