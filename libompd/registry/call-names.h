/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread is doing: the numbers of the registry, their names, and the states they mean. */
#ifndef LIBOMPD_CALL_NAMES_H
#define LIBOMPD_CALL_NAMES_H

#include "base/export.h"

#include <ompd-opencl-calls.h>
#include <ompd-opencl.h>

#include <stdbool.h>

#define ONE_CALL(number, function) +1
enum { CALL_NAME_COUNT = OMPD_CL_CALLS(ONE_CALL) };
#undef ONE_CALL

/* The names of OpenCL's functions, their numbers rising: for the field table. */
extern const ompd_cl_name_t call_names[CALL_NAME_COUNT];

/* The name of a function of OpenCL, NULL for a number that this library does not know. */
const char *call_name(uint32_t number);

/* The table that has the record of the callback of the program that WHAT (struct
 * ompd_cl_registry_activity) is; 0: it is a call, or nothing that this library knows. */
uint32_t call_callback_table(uint32_t what);

/* Tell whether WHAT is a callback of the program, not a call. */
bool call_is_callback(uint32_t what);

/* The state of a thread whose innermost activity is WHAT; 0 for one that this library does not
 * know. */
uint32_t call_state(uint32_t what);

#endif
