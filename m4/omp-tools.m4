# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# OMPD_FIND_OMP_TOOLS
# Find the folder of omp-tools.h, LLVM's OMPD header, and substitute OMP_TOOLS_DIR and
# OMP_TOOLS_CPPFLAGS.  Before LLVM 13 it was the header of OMPT alone.  It lies in clang's resource
# folder, together with clang's own stddef.h and intrinsics: found by -I or -isystem these would
# replace gcc's and break it, so the folder goes behind all others with -idirafter.
AC_DEFUN([OMPD_FIND_OMP_TOOLS], [
    AC_ARG_WITH([omp-tools],
        [AS_HELP_STRING([--with-omp-tools=DIR], [folder of LLVM's omp-tools.h])],
        [ompd_candidates=$withval],
        [ompd_candidates=`ls -d /usr/lib/llvm-*/lib/clang/*/include /usr/lib64/clang/*/include \
            /usr/lib/clang/*/include /usr/include 2>/dev/null | sort -V -r`])
    AC_MSG_CHECKING([for omp-tools.h with OMPD])
    OMP_TOOLS_DIR=
    ompd_too_old=
    for ompd_directory in $ompd_candidates; do
        if test ! -f "$ompd_directory/omp-tools.h"; then
            continue
        fi
        if grep -q ompd_callbacks_t "$ompd_directory/omp-tools.h"; then
            OMP_TOOLS_DIR=$ompd_directory
            break
        fi
        : "${ompd_too_old:=$ompd_directory/omp-tools.h}"
    done
    if test -z "$OMP_TOOLS_DIR"; then
        AC_MSG_RESULT([no])
        ompd_remedy='install libomp-VERSION-dev of LLVM 13 or later, or give --with-omp-tools=DIR'
        if test -n "$ompd_too_old"; then
            AC_MSG_ERROR([$ompd_too_old is older than LLVM 13 and has no OMPD: $ompd_remedy])
        fi
        AC_MSG_ERROR([no omp-tools.h: $ompd_remedy])
    fi
    AC_MSG_RESULT([$OMP_TOOLS_DIR])
    AC_SUBST([OMP_TOOLS_DIR])
    AC_SUBST([OMP_TOOLS_CPPFLAGS], ["-idirafter $OMP_TOOLS_DIR"])
])
