# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_RECORDER_NEEDS
# ------------------------
# The recorder is an OpenCL layer.  It needs the headers of the loader's layer interface, and
# libunwind for call stacks of more than one frame.
AC_DEFUN([OMPD_FIND_RECORDER_NEEDS], [
AC_CHECK_HEADERS([CL/cl_layer.h], [],
    [AC_MSG_ERROR([no CL/cl_layer.h: install the OpenCL headers (on Debian opencl-headers)])],
    [#define CL_TARGET_OPENCL_VERSION 300])
AC_CHECK_MEMBER([cl_icd_dispatch.clSetContextDestructorCallback], [],
    [AC_MSG_ERROR([m4_normalize([the OpenCL headers have no clSetContextDestructorCallback in
        cl_icd_dispatch: install those of OpenCL 3.0 or later (on Debian opencl-headers)])])],
    [#define CL_TARGET_OPENCL_VERSION 300
     #include <CL/cl_layer.h>])
PKG_CHECK_MODULES([LIBUNWIND], [libunwind], [], [LIBUNWIND_LIBS=-lunwind])
OMPD_CAN_LINK([libunwind with unw_backtrace], [LIBUNWIND], [#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stddef.h>],
    [int (*function)(void **, int) = unw_backtrace; return function(NULL, 0);], [],
    [AC_MSG_ERROR([m4_normalize([no libunwind with unw_backtrace: install it and its headers
        (on Debian libunwind-dev)])])])
])
