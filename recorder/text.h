/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts in records. */
#ifndef RECORDER_TEXT_H
#define RECORDER_TEXT_H

#include <stddef.h>
#include <string.h>

#include "ompd-opencl-registry.h"

#define RECORDER_TEXT_CUT "\xe2\x80\xa6" /* an ellipsis */

/* End the text TO, which had no room for all, by an ellipsis, behind a whole character. */
static inline void recorder_text_cut(char to[OMPD_CL_REGISTRY_TEXT_SIZE])
{
    size_t length = OMPD_CL_REGISTRY_TEXT_SIZE - sizeof(RECORDER_TEXT_CUT);
    while (length && ((unsigned char)to[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(to + length, RECORDER_TEXT_CUT, sizeof(RECORDER_TEXT_CUT));
}

/* Copy TEXT, or NULL, of at most SIZE bytes, to a record's text TO: what it has no room for is left
 * out. */
static inline void recorder_text_copy(char to[OMPD_CL_REGISTRY_TEXT_SIZE], const char *text,
                                      size_t size)
{
    size_t room = OMPD_CL_REGISTRY_TEXT_SIZE - 1;
    size_t length = text ? strnlen(text, size < room ? size : room) : 0;
    if (length != 0) {
        memcpy(to, text, length);
    }
    to[length] = '\0';
    if (length == room && size > room && text[room]) {
        recorder_text_cut(to);
    }
}

#endif
