# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_LOADERS
# -----------------
# Set OPENCL_LOADERS to the paths of OpenCL loaders, without links, with which GDB is to load its
# plugin: as the user says, or what the compiler finds, and what ocl-icd and Khronos' loader are
# called in the same folder.
AC_DEFUN([OMPD_FIND_LOADERS], [
AC_ARG_VAR([OPENCL_LOADERS], [paths of OpenCL loaders with which GDB is to load its plugin])
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
