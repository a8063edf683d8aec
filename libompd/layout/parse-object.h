/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lines of a layout that describe one kind of object. */
#ifndef LIBOMPD_PARSE_OBJECT_H
#define LIBOMPD_PARSE_OBJECT_H

#include "layout/parser.h"

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
ompd_rc_t layout_when_take(struct layout_parser *parser);
ompd_rc_t layout_unless_take(struct layout_parser *parser);
ompd_rc_t layout_known_when_take(struct layout_parser *parser);

/* Check the object that has been described, if there was one, and finish it.  Returns likewise; the
 * line named is where its description begins. */
ompd_rc_t layout_object_end(struct layout_parser *parser);

/* Take WORD as what its name says.  Return likewise. */
ompd_rc_t layout_offset_take(struct layout_parser *parser, struct word word, int32_t *offset);
ompd_rc_t layout_count_take(struct layout_parser *parser, struct word word, uint8_t *count);
ompd_rc_t layout_path_take(struct layout_parser *parser, struct word word,
                           struct layout_path *path);

/* Take the words from number FIRST to before END, PATH WIDTH [ADJUST], as the location of a pointer
 * or a number.  An element whose value is its own address has width 0. */
ompd_rc_t layout_location_take(struct layout_parser *parser, unsigned first, unsigned end,
                               bool is_pointer, bool is_element, struct layout_location *location);

#endif
