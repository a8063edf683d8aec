# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_LOADERS
# -----------------
# Set OPENCL_LOADERS to the real paths of the OpenCL loaders for which GDB loads the plugin: those
# that the user names, or the loader that the compiler finds and the names of ocl-icd and of
# Khronos' loader in the same folder.
AC_DEFUN([OMPD_FIND_LOADERS], [
AC_ARG_VAR([OPENCL_LOADERS], [real paths of the OpenCL loaders for which GDB loads the plugin])
AC_MSG_CHECKING([for OpenCL loaders])
if test -z "$OPENCL_LOADERS"; then
    ompd_loader=`$CC -print-file-name=libOpenCL.so.1`
    case $ompd_loader in
    /*)
        ompd_loader=`readlink -f "$ompd_loader"`
        OPENCL_LOADERS=$ompd_loader
        for ompd_name in libOpenCL.so.1.0.0 libOpenCL.so.1.2; do
            ompd_other=`dirname "$ompd_loader"`/$ompd_name
            if test "$ompd_other" != "$ompd_loader"; then
                OPENCL_LOADERS="$OPENCL_LOADERS $ompd_other"
            fi
        done ;;
    esac
fi
AC_MSG_RESULT([${OPENCL_LOADERS:-none}])
])
