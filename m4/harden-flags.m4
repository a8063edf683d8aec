# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_HARDEN_FLAGS
# -----------------
# Substitute flags that make bugs in code which reads hostile input harder to exploit, where the
# compiler and the linker have them: HARDEN_CFLAGS, which must come after other flags, and
# HARDEN_LDFLAGS.  Sanitizers have checks of their own.  Flags that the distribution sets already
# are not repeated.
AC_DEFUN([OMPD_HARDEN_FLAGS], [
HARDEN_CFLAGS=
HARDEN_LDFLAGS=
ompd_cflags=$CFLAGS
ompd_ldflags=$LDFLAGS
AS_CASE([" $CC $CFLAGS $FUZZING_CFLAGS"], [*-fsanitize*], [ompd_harden=no], [ompd_harden=yes])
for ompd_flag in -fstack-protector-strong -D_FORTIFY_SOURCE=2; do
    test "$ompd_harden" = yes || break
    AC_MSG_CHECKING([whether $CC accepts $ompd_flag])
    CFLAGS="$ompd_cflags $OPTIMIZE_CFLAGS $HARDEN_CFLAGS $ompd_flag -Werror"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <string.h>
#include <stdio.h>], [char text@<:@64@:>@; return fgets(text, 64, stdin) != NULL;])],
        [AC_MSG_RESULT([yes]); AS_VAR_APPEND([HARDEN_CFLAGS], [" $ompd_flag"])],
        [AC_MSG_RESULT([no])])
done
CFLAGS=$ompd_cflags
for ompd_flag in -Wl,-z,relro -Wl,-z,now; do
    AC_MSG_CHECKING([whether $CC accepts $ompd_flag])
    LDFLAGS="$ompd_ldflags $ompd_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
        [AC_MSG_RESULT([yes]); AS_VAR_APPEND([HARDEN_LDFLAGS], [" $ompd_flag"])],
        [AC_MSG_RESULT([no])])
done
LDFLAGS=$ompd_ldflags
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
])
