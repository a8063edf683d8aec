/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that correct programs have refused: they ask for something that may not be there. */
#ifndef OMPD_COMMAND_PROBE_CALL_H
#define OMPD_COMMAND_PROBE_CALL_H

#include <stdbool.h>

/* Whether a correct program may make CALL, a function of OpenCL, and have it refused with ERROR,
 * the name of its code; NULL: that is not known. */
bool command_call_is_probe(const char *call, const char *error, bool has_handle);

/* Whether CALL builds a program, or compiles or links one. */
bool command_call_is_build(const char *call);

#endif
