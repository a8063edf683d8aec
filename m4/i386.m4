# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_I386
# --------------
# Set I386_ROOT to the folder with the i386 packages: the one that the user names, or the one in
# which `./bootstrap check` unpacks them, even if it does not exist yet.
AC_DEFUN([OMPD_FIND_I386], [
AC_ARG_VAR([I386_ROOT], [folder with i386 packages, for make check-long])
AC_MSG_CHECKING([for i386 packages])
if test -z "$I386_ROOT"; then
    I386_ROOT=`cd "$srcdir" && pwd`/build/packages/i386
    if test -d packages/i386; then
        I386_ROOT=`pwd`/packages/i386
    fi
fi
AC_MSG_RESULT([$I386_ROOT])
])
