# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_LLVM_PLUGIN
# ---------------------
# Set LLVM_OMPD_PLUGIN to the folder of LLVM's GDB plugin for OMPD: the one that the user names, the
# one in which `./bootstrap check` unpacks it, or the installed one.  If none exists, set it to the
# one in which it would be unpacked: the test that needs the plugin then reports that it is missing.
AC_DEFUN([OMPD_FIND_LLVM_PLUGIN], [
AC_ARG_VAR([LLVM_OMPD_PLUGIN], [folder of LLVM's GDB plugin for OMPD, for make check])
AC_MSG_CHECKING([for LLVM's GDB plugin for OMPD])
ompd_unpacked=packages/libomp-19-dev/usr/lib/llvm-19/share/gdb/python/ompd
ompd_source=`cd "$srcdir" && pwd`
for ompd_folder in "`pwd`/$ompd_unpacked" "$ompd_source/build/$ompd_unpacked" \
    /usr/lib/llvm-*/share/gdb/python/ompd; do
    if test -z "$LLVM_OMPD_PLUGIN" && test -f "$ompd_folder/__init__.py"; then
        LLVM_OMPD_PLUGIN=$ompd_folder
    fi
done
: "${LLVM_OMPD_PLUGIN:=$ompd_source/build/$ompd_unpacked}"
AC_MSG_RESULT([$LLVM_OMPD_PLUGIN])
])
