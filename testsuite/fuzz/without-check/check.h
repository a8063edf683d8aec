/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of Check that the fake targets use, for programs without tests, because the assertions
 * of Check need a running test. */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define ck_assert(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#define ck_assert_int_eq(a, b) ck_assert((a) == (b))
#define ck_assert_int_gt(a, b) ck_assert((a) > (b))
#define ck_assert_int_lt(a, b) ck_assert((a) < (b))
#define ck_assert_uint_eq(a, b) ck_assert((a) == (b))
#define ck_assert_uint_ne(a, b) ck_assert((a) != (b))
#define ck_assert_uint_lt(a, b) ck_assert((a) < (b))
#define ck_assert_uint_le(a, b) ck_assert((a) <= (b))
#define ck_assert_ptr_null(pointer) ck_assert((pointer) == NULL)
#define ck_abort_msg(...) (fprintf(stderr, __VA_ARGS__), abort())

#endif
