/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a core is: whose, why it was written, when and where, and what of it is missing. */
#ifndef OMPD_COMMAND_TARGET_LINES_H
#define OMPD_COMMAND_TARGET_LINES_H

#include <command/session.h>

/* Add "SIGABRT", or "signal 40" for one without a name here. */
void command_signal_add(struct text *text, int signal);

/* Add "2026-11-21 10:59:52 UTC", of seconds since 1970. */
void command_time_add(struct text *text, int64_t time);

/* Add "truncated: the last 3.1 MiB of 12 MiB are missing", of a core that is. */
void command_truncation_add(struct text *text, const ompd_host_target_info_t *info);

/* Whether the session's core still has the part that tells its threads and their signal. */
bool command_end_is_known(const struct command_session *session);

/* Add the lines that say what the session's core is; nothing for a process. */
void command_target_lines_add(const struct command_session *session, struct text *text);

#endif
