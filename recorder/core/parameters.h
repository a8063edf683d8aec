/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Macros for the lists of (type, name) of schema/calls.def. */
#ifndef RECORDER_PARAMETERS_H
#define RECORDER_PARAMETERS_H

/* clang-format off */
/* Apply MACRO to each of up to sixteen (type, name), with OPEN BY between them. */
#define EACH_1(macro, by, a) macro a
#define EACH_2(macro, by, a, ...) macro a OPEN by EACH_1(macro, by, __VA_ARGS__)
#define EACH_3(macro, by, a, ...) macro a OPEN by EACH_2(macro, by, __VA_ARGS__)
#define EACH_4(macro, by, a, ...) macro a OPEN by EACH_3(macro, by, __VA_ARGS__)
#define EACH_5(macro, by, a, ...) macro a OPEN by EACH_4(macro, by, __VA_ARGS__)
#define EACH_6(macro, by, a, ...) macro a OPEN by EACH_5(macro, by, __VA_ARGS__)
#define EACH_7(macro, by, a, ...) macro a OPEN by EACH_6(macro, by, __VA_ARGS__)
#define EACH_8(macro, by, a, ...) macro a OPEN by EACH_7(macro, by, __VA_ARGS__)
#define EACH_9(macro, by, a, ...) macro a OPEN by EACH_8(macro, by, __VA_ARGS__)
#define EACH_10(macro, by, a, ...) macro a OPEN by EACH_9(macro, by, __VA_ARGS__)
#define EACH_11(macro, by, a, ...) macro a OPEN by EACH_10(macro, by, __VA_ARGS__)
#define EACH_12(macro, by, a, ...) macro a OPEN by EACH_11(macro, by, __VA_ARGS__)
#define EACH_13(macro, by, a, ...) macro a OPEN by EACH_12(macro, by, __VA_ARGS__)
#define EACH_14(macro, by, a, ...) macro a OPEN by EACH_13(macro, by, __VA_ARGS__)
#define EACH_15(macro, by, a, ...) macro a OPEN by EACH_14(macro, by, __VA_ARGS__)
#define EACH_16(macro, by, a, ...) macro a OPEN by EACH_15(macro, by, __VA_ARGS__)
#define EACH_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, each, ...) each
#define EACH_BY(macro, by, ...)                                                                    \
    EACH_OF(__VA_ARGS__, EACH_16, EACH_15, EACH_14, EACH_13, EACH_12, EACH_11, EACH_10, EACH_9,    \
            EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, none)                  \
    (macro, by, __VA_ARGS__)

/* The same with commas. */
#define EACH(macro, ...) EACH_BY(macro, (,), __VA_ARGS__)

#define PARAMETER(type, name) type name
#define ARGUMENT(type, name) name
#define PARAMETERS(...) EACH(PARAMETER, __VA_ARGS__)
#define ARGUMENT_NAMES(...) EACH(ARGUMENT, __VA_ARGS__)
#define MEMBERS(...) EACH_BY(PARAMETER, (;), __VA_ARGS__);
#define OPEN(...) __VA_ARGS__
/* clang-format on */

#endif
