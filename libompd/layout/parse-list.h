/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lines of a layout that describe the lists of an object. */
#ifndef LIBOMPD_PARSE_LIST_H
#define LIBOMPD_PARSE_LIST_H

#include "layout/parser.h"

/* What a line that is wrong should be. */
#define ELEMENT_USAGE "write element NAME PATH WIDTH [ADJUST]."
#define TREE_ELEMENT_USAGE "of a tree write element NAME PATH WIDTH [ADJUST] every STRIDE."
#define EACH_HOLDS_USAGE "write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."

/* Each takes the line that was read, which has as many words as it may.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_list_take(struct layout_parser *parser);
ompd_rc_t layout_none_take(struct layout_parser *parser);
ompd_rc_t layout_element_take(struct layout_parser *parser);
ompd_rc_t layout_each_holds_take(struct layout_parser *parser);

/* Check the list that has been described, if there was one, and finish it.  Returns likewise; the
 * line named is where its description begins. */
ompd_rc_t layout_list_end(struct layout_parser *parser);

/* Take WORD as the size of an element or a chunk.  Returns likewise. */
ompd_rc_t layout_size_take(struct layout_parser *parser, struct word word, uint32_t *size);

#endif
