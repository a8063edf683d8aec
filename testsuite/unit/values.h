/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Assertions about a field of a row. */
#ifndef VALUES_H
#define VALUES_H

#include <check.h>
#include <ompd-opencl.h>

/* FIELD is NUMBER, a fact from the recorder. */
#define ck_value(field, number)                                                                    \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, ompd_cl_status_value);                                   \
        ck_assert_uint_eq((field).source, ompd_cl_source_recorder);                                \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)

/* FIELD is NUMBER, which the recorder has no proof of. */
#define ck_value_presumed(field, number)                                                           \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, ompd_cl_status_presumed);                                \
        ck_assert_uint_eq((field).source, ompd_cl_source_recorder);                                \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)

/* FIELD has no value, for the reason WHY. */
#define ck_none(field, why)                                                                        \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, why);                                                    \
        ck_assert_uint_eq((field).value, 0);                                                       \
    } while (0)

#endif
