# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_CHECK_BUILD_PATHS
# ----------------------
# Refuse a path that breaks the build: a blank ends a path for libtool, and a colon ends it in
# OPENCL_LAYERS and LD_LIBRARY_PATH.
AC_DEFUN([OMPD_CHECK_BUILD_PATHS], [
for ompd_path in "`pwd`" "`cd "$srcdir" && pwd`"; do
    case $ompd_path in
    *[[[:space:]:]]*)
        AC_MSG_ERROR([cannot build where a path has a blank or a colon: move $ompd_path])
        ;;
    esac
done
])
