/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From records of commands and events to rows. The decoder has run before. */
#ifndef LIBOMPD_RECORDER_COMMAND_ROWS_H
#define LIBOMPD_RECORDER_COMMAND_ROWS_H

#include "rows/recorder-fields.h"

/* Complete INFO, whose record has INDEX. */
void recorder_event_finish(struct recorder_fields *fields, uint32_t index,
                           ompd_cl_event_info_t *info);
void recorder_command_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_command_info_t *info);

/* Say that no user event made the command of INFO fail. */
void recorder_command_clear_failure(ompd_cl_command_info_t *info);

/* Tell whether the command of INFO has failed, as it never runs, but the runtime is not known to
 * have ended it. */
bool recorder_command_is_stuck(const ompd_cl_command_info_t *info);

/* Tell whether the event HANDLE is recorded and not known to be over; FIELDS, of another row, gets
 * `rc` where that could not be looked up. */
bool recorder_event_is_pending(struct recorder_fields *fields, uint64_t handle);

#endif
