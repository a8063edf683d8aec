/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lines of a layout that describe one kind of object. */
#ifndef LIBOMPD_PARSE_OBJECT_H
#define LIBOMPD_PARSE_OBJECT_H

#include "layout/layout-names.h"

/* What a line that is wrong should be. */
#define ELEMENT_USAGE "write element NAME PATH WIDTH [ADJUST]."
#define TREE_ELEMENT_USAGE "of a tree write element NAME PATH WIDTH [ADJUST] every STRIDE."
#define EACH_HOLDS_USAGE "write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."

/* A layout being parsed. */
struct layout_parser {
    struct layout_text text;
    struct layout *layout;
    struct layout_object *object; /* being described; NULL before the first */
    enum layout_kind kind;
    uint32_t object_line;
    struct layout_list_place *place; /* of the list being described; NULL before its first */
    enum layout_list list;
    uint32_t list_line;
    /* Of the field or list of the line before, and of this line; NULL: it is of neither. */
    struct layout_condition *condition;
    struct layout_condition *next_condition;
    /* The field that the line before is about, and this line; LAYOUT_FIELD_COUNT: it is none. */
    enum layout_field field;
    enum layout_field next_field;
};

/* Each takes the line that was read, which has as many words as it may.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_object_take(struct layout_parser *parser);
ompd_rc_t layout_rule_take(struct layout_parser *parser);
ompd_rc_t layout_internal_take(struct layout_parser *parser);
ompd_rc_t layout_dying_take(struct layout_parser *parser);
ompd_rc_t layout_dispatch_data_take(struct layout_parser *parser);
ompd_rc_t layout_taken_take(struct layout_parser *parser);
ompd_rc_t layout_field_take(struct layout_parser *parser);
ompd_rc_t layout_holds_take(struct layout_parser *parser);
ompd_rc_t layout_dying_holds_take(struct layout_parser *parser);
ompd_rc_t layout_maps_hold_take(struct layout_parser *parser);
ompd_rc_t layout_list_take(struct layout_parser *parser);
ompd_rc_t layout_none_take(struct layout_parser *parser);
ompd_rc_t layout_element_take(struct layout_parser *parser);
ompd_rc_t layout_when_take(struct layout_parser *parser);
ompd_rc_t layout_unless_take(struct layout_parser *parser);
ompd_rc_t layout_known_when_take(struct layout_parser *parser);
ompd_rc_t layout_each_holds_take(struct layout_parser *parser);

/* Check the object, or the list, that has been described, if there was one, and finish it.  Returns
 * likewise; the line named is where its description begins. */
ompd_rc_t layout_object_end(struct layout_parser *parser);
ompd_rc_t layout_list_end(struct layout_parser *parser);

/* Take WORD as what its name says.  Return likewise. */
ompd_rc_t layout_offset_take(struct layout_parser *parser, struct word word, int32_t *offset);
ompd_rc_t layout_count_take(struct layout_parser *parser, struct word word, uint8_t *count);
ompd_rc_t layout_path_take(struct layout_parser *parser, struct word word,
                           struct layout_path *path);

ompd_rc_t layout_size_take(struct layout_parser *parser, struct word word, uint32_t *size);

/* Take the words from number FIRST to before END, PATH WIDTH [ADJUST], as the place of a pointer or
 * a number.  An element whose value is its own address has width 0. */
ompd_rc_t layout_place_take(struct layout_parser *parser, unsigned first, unsigned end,
                            bool is_pointer, bool is_element, struct layout_place *place);

#endif
