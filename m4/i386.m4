# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_I386
# --------------
# Set I386_ROOT to the folder with the packages of i386: as the user says, or where `./bootstrap
# check` unpacks them, there or not.
AC_DEFUN([OMPD_FIND_I386], [
AC_ARG_VAR([I386_ROOT], [folder with the packages of i386, for make check])
AC_MSG_CHECKING([for the packages of i386])
if test -z "$I386_ROOT"; then
    I386_ROOT=`cd "$srcdir" && pwd`/build/packages/i386
    if test -d packages/i386; then
        I386_ROOT=`pwd`/packages/i386
    fi
fi
AC_MSG_RESULT([$I386_ROOT])
])
