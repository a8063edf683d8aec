# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# OMPD_FUZZING
# With --enable-fuzzing, the programs of testsuite/fuzz generate inputs with Clang's libFuzzer.
AC_DEFUN([OMPD_FUZZING], [
    AC_ARG_ENABLE([fuzzing],
        [AS_HELP_STRING([--enable-fuzzing], [let `make fuzz` generate inputs (needs Clang)])],
        [], [enable_fuzzing=no])
    AS_IF([test "x$enable_fuzzing" != xno], [
        ompd_saved_CFLAGS=$CFLAGS
        CFLAGS="$CFLAGS -fsanitize=fuzzer,address,undefined"
        AC_LINK_IFELSE([AC_LANG_SOURCE([
            int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);
            int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)
            { return data == 0 && size != 0; }])], [],
            [AC_MSG_ERROR([m4_normalize([$CC has no libFuzzer: --enable-fuzzing needs Clang with
                its runtime libraries, configure CC=clang])])])
        CFLAGS=$ompd_saved_CFLAGS
    ])
    AM_CONDITIONAL([FUZZING], [test "x$enable_fuzzing" != xno])
])
