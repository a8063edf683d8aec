/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Why there is no answer of a target without a recorder. */
#ifndef OMPD_COMMAND_MISSING_RECORDER_H
#define OMPD_COMMAND_MISSING_RECORDER_H

#include <command/session.h>

/* Find the recorder that a user would be told to take: files, which the process that reads a core
 * has not.  Once is enough. */
void command_missing_recorder_prepare(struct command_session *session);

/* Whether no recorder is in the session's target, as far as its modules are known. */
bool command_recorder_is_missing(const struct command_session *session);

/* When it is for want of a recorder that a call on the session's address space failed, of which the
 * library said MESSAGE, add that, with what to do; nothing where MESSAGE says all. */
void command_missing_recorder_add(const struct command_session *session, const char *message,
                                  struct text *text);

#endif
