/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What those who parse the lines of a layout share. */
#ifndef LIBOMPD_PARSER_H
#define LIBOMPD_PARSER_H

#include "layout/layout-names.h"

/* A layout being parsed. */
struct layout_parser {
    struct layout_text text;
    struct layout *layout;
    struct layout_object *object; /* being described; NULL before the first */
    enum layout_kind kind;
    uint32_t object_line;
    struct layout_list_location *location; /* of the list being described; NULL before its first */
    enum layout_list list;
    uint32_t list_line;
    /* Of the field or list of the line before, and of this line; NULL: it is of neither. */
    struct layout_condition *condition;
    struct layout_condition *next_condition;
    /* The field that the line before is about, and this line; LAYOUT_FIELD_COUNT: it is none. */
    enum layout_field field;
    enum layout_field next_field;
};

#endif
