# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_CAN_LINK(WHAT, PREFIX, PROLOGUE, BODY, [IF-SO], [IF-NOT])
# --------------------------------------------------------------
# Check that a program with PROLOGUE, and BODY in its main, can be built with PREFIX_CFLAGS and
# PREFIX_LIBS.  Messages call it WHAT.
AC_DEFUN([OMPD_CAN_LINK], [
AC_MSG_CHECKING([for $1])
ompd_cppflags=$CPPFLAGS
ompd_libs=$LIBS
CPPFLAGS="$CPPFLAGS $$2_CFLAGS"
LIBS="$$2_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([$3], [$4])], [ompd_can_link=yes], [ompd_can_link=no])
CPPFLAGS=$ompd_cppflags
LIBS=$ompd_libs
AC_MSG_RESULT([$ompd_can_link])
AS_IF([test "$ompd_can_link" = yes], [m4_default([$5], [:])], [m4_default([$6], [:])])
])
