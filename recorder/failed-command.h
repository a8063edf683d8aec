/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Commands that never run, as a user event that they wait for was set to an error: itself, or by
 * way of other commands, whose events do not become complete.
 */
#ifndef RECORDER_FAILED_COMMAND_H
#define RECORDER_FAILED_COMMAND_H

#include "object.h"

/* Whether the program has ever set a user event to an error. */
extern uint32_t recorder_events_have_failed __attribute__((visibility("hidden")));

/* The program has set the user event of EVENT to an error, by the call that returns to
 * RETURN_ADDRESS, and the runtime has taken it: that terminates all commands that wait for it
 * (OpenCL 3.0 clSetUserEventStatus).  Say so in their records, and keep each with the errors. */
void recorder_commands_fail(const struct recorder_entry *event, const void *return_address);

/* The command of ENTRY has been enqueued: do the same if an event that it waits for had failed
 * before. */
void recorder_command_fail_late(const struct recorder_entry *entry);

RECORDER_INLINE void recorder_command_judge(const struct recorder_entry *entry)
{
    if (RECORDER_UNLIKELY(__atomic_load_n(&recorder_events_have_failed, __ATOMIC_SEQ_CST)) &&
        entry->object) {
        recorder_command_fail_late(entry);
    }
}

#endif
