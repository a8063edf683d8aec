/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Assertions about the message of the last call. */
#ifndef SENTENCE_H
#define SENTENCE_H

#include <check.h>
#include <ompd-opencl.h>
#include <string.h>

/* The sentence for the last question to ASKED, or for the last address space that could not be made
 * if that is NULL, holds WORDS, and was not cut. */
static inline void sentence_expect(ompd_address_space_handle_t *asked, const char *words)
{
    const char *text = NULL;

    ck_assert_int_eq(ompd_cl_message_get(asked, &text), ompd_rc_ok);
    ck_assert_msg(strstr(text, words) != NULL, "\"%s\" does not say \"%s\"", text, words);
    ck_assert_uint_lt(strlen(text), 255);
}

/* There is none. */
static inline void sentence_expect_none(ompd_address_space_handle_t *asked)
{
    const char *text = NULL;

    ck_assert_int_eq(ompd_cl_message_get(asked, &text), ompd_rc_ok);
    ck_assert_str_eq(text, "");
}

#endif
