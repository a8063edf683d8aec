/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

static void value_add(ompd_view_t *view, const char *key, ompd_view_value_t value)
{
    value.struct_size = sizeof(value);
    if (value.status == ompd_cl_status_none)
        value.status = ompd_cl_status_value;
    ompd_view_json_value_add(view, key, &value);
}

void command_json_text(ompd_view_t *view, const char *key, const char *value)
{
    value_add(view, key, (ompd_view_value_t){.type = ompd_cl_type_text, .text = value});
}

void command_json_number(ompd_view_t *view, const char *key, int64_t value)
{
    value_add(view, key,
              (ompd_view_value_t){.type = ompd_cl_type_number, .number = (uint64_t)value});
}

void command_json_boolean(ompd_view_t *view, const char *key, bool value)
{
    value_add(view, key, (ompd_view_value_t){.type = ompd_cl_type_boolean, .number = value});
}

void command_json_duration(ompd_view_t *view, const char *key, uint64_t milliseconds)
{
    value_add(view, key,
              (ompd_view_value_t){.type = ompd_cl_type_duration, .number = milliseconds});
}

void command_json_address(ompd_view_t *view, const char *key, uint64_t value)
{
    value_add(view, key, (ompd_view_value_t){.type = ompd_cl_type_address, .number = value});
}

void command_json_unknown(ompd_view_t *view, const char *key, const char *reason)
{
    value_add(view, key,
              (ompd_view_value_t){
                  .type = ompd_cl_type_text, .status = ompd_cl_status_unknown, .text = reason});
}
