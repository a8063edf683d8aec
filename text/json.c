/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See json.h. */
#include <text/json.h>

void json_begin(struct json *json, struct text *text)
{
    *json = (struct json){.text = text};
    text_put(text, "{");
}

void json_begin_line(struct json *json, struct text *text)
{
    json_begin(json, text);
    json_number(json, "schema", JSON_SCHEMA);
}

void json_begin_array(struct json *json, struct text *text)
{
    *json = (struct json){.text = text, .is_array = true};
    text_put(text, "[");
}

/* Add KEY with the contents of ABOUT, between BEGIN and END, and free ABOUT. */
static void put_gathered(struct json *json, const char *key, struct text *about, const char *begin,
                         const char *end)
{
    if (about->length == 0)
        return;
    json_key(json, key);
    text_put(json->text, begin);
    text_append(json->text, about->bytes, about->length);
    text_put(json->text, end);
    text_free(about);
}

void json_end(struct json *json)
{
    put_gathered(json, "unknown", &json->unknown, "{", "}");
    put_gathered(json, "presumed", &json->presumed, "[", "]");
    put_gathered(json, "at_least", &json->at_least, "[", "]");
    text_put(json->text, json->is_array ? "]" : "}");
}

/* Add KEY, a constant that needs no escape. */
static void put_key(struct text *text, const char *key)
{
    size_t length = strlen(key);
    char *to;

    text_reserve(text, length + strlen("\"\": "));
    to = text->bytes + text->length;
    *to++ = '"';
    memcpy(to, key, length);
    memcpy(to + length, "\": ", sizeof("\": "));
    text->length += length + strlen("\"\": ");
}

void json_key(struct json *json, const char *key)
{
    if (json->has_keys)
        text_put(json->text, ", ");
    json->has_keys = true;
    if (!json->is_array)
        put_key(json->text, key);
}

void json_string(struct json *json, const char *key, const char *value)
{
    json_key(json, key);
    json_quote(json->text, value);
}

void json_number(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    if (value < 0)
        text_put(json->text, "-");
    text_put_number(json->text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_hexadecimal(struct json *json, const char *key, uint64_t value)
{
    json_key(json, key);
    text_put(json->text, "\"");
    text_put_hexadecimal(json->text, value);
    text_put(json->text, "\"");
}

void json_seconds(struct json *json, const char *key, uint64_t milliseconds)
{
    json_key(json, key);
    duration_format(json->text, milliseconds);
}

void json_boolean(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    text_put(json->text, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
    json_key(json, key);
    text_put(json->text, "null");
}

void json_unknown(struct json *json, const char *key, const char *reason)
{
    if (json->is_array)
        return;
    if (json->unknown.length != 0)
        text_put(&json->unknown, ", ");
    put_key(&json->unknown, key);
    json_quote(&json->unknown, reason);
}

/* Add KEY to a list of keys whose values share a property. */
static void add_name_to(struct text *keys, const char *key)
{
    if (keys->length != 0)
        text_put(keys, ", ");
    json_quote(keys, key);
}

void json_presumed(struct json *json, const char *key)
{
    add_name_to(&json->presumed, key);
}

void json_at_least(struct json *json, const char *key)
{
    add_name_to(&json->at_least, key);
}
