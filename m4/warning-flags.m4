# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# OMPD_WARNING_FLAGS
# Substitute WARNING_CFLAGS: the warnings that the tree is free of.  With --enable-werror they are
# errors.
AC_DEFUN([OMPD_WARNING_FLAGS], [
    AC_ARG_ENABLE([werror],
        [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
        [], [enable_werror=no])
    WARNING_CFLAGS='-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla'
    AS_IF([test "x$enable_werror" = xyes], [WARNING_CFLAGS="$WARNING_CFLAGS -Werror"])
    AC_SUBST([WARNING_CFLAGS])
])
