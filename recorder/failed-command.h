/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that never run, as an event that they wait for has failed. */
#ifndef RECORDER_FAILED_COMMAND_H
#define RECORDER_FAILED_COMMAND_H

#include "object.h"

/* The program has set the user event of EVENT to an error, by the call that returns to
 * RETURN_ADDRESS: the runtime terminates all commands that wait for it (OpenCL 3.0
 * clSetUserEventStatus).  Say so in their records, and keep each with the errors. */
void recorder_commands_fail(const struct recorder_entry *event, const void *return_address);

#endif
