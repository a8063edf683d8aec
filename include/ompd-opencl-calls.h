/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of OpenCL by number: how the registry names what a thread is doing.
 *
 * Part of the registry's format, shared by recorder/ and libompd/ and by nothing else.
 */
#ifndef OMPD_OPENCL_CALLS_H
#define OMPD_OPENCL_CALLS_H

/* ompd_cl_call_clFinish and so on. */
enum ompd_cl_call {
#define CALL(number, function, ...) ompd_cl_call_##function = (number),
#include <schema/calls.def>
};

#endif
