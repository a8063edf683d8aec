/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of a layout as lines of words, whatever is in it. */
#ifndef LIBOMPD_LAYOUT_LINE_H
#define LIBOMPD_LAYOUT_LINE_H

#include "base/message.h"

#include <ompd-opencl-types.h>

#include <stdbool.h>

#define LAYOUT_LINE_SIZE 200 /* bytes, without the newline */
#define LAYOUT_LINE_WORDS 12

/* Part of the text; no NUL ends it. */
struct word {
    const char *start;
    size_t length;
};

struct layout_text {
    const char *rest; /* lines not yet read: [rest, end) */
    const char *end;
    struct message *message;
    uint32_t line; /* number of the line that was read, from 1 */
    uint32_t word_count;
    struct word words[LAYOUT_LINE_WORDS];
    struct word tail; /* of the line, from its second word on */
};

/* Read the next line that has a word; at the end there is none.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_text_next(struct layout_text *text);

/* Return ompd_rc_bad_input because of LINE: what WORD is, between BEFORE and AFTER. */
ompd_rc_t layout_text_refuse(struct layout_text *text, const char *before, struct word word,
                             const char *after);

/* The same without a word. */
ompd_rc_t layout_text_fail(struct layout_text *text, const char *reason);

bool word_is(struct word word, const char *name);

/* Take WORD as an unsigned or signed number, decimal or 0x hexadecimal, within bounds.  Returns
 * false, *NUMBER untouched, when it is none. */
bool word_unsigned(struct word word, uint64_t least, uint64_t most, uint64_t *number);
bool word_signed(struct word word, int32_t least, int32_t most, int32_t *number);

/* Take WORD as a byte of two hexadecimal digits.  Returns likewise. */
bool word_byte(struct word word, uint8_t *byte);

/* Split WORD at the first SEPARATOR: what is before it becomes *HEAD, and WORD what is after it.
 * Returns false when there is none; then *HEAD is all of WORD. */
bool word_split(struct word *word, char separator, struct word *head);

#endif
