/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an answer of the library leaves open, in its sentences. */
#ifndef OMPD_HOST_COMMAND_GAPS_H
#define OMPD_HOST_COMMAND_GAPS_H

#include <host/command/json.h>

/* Keep the sentences about the last answer in SESSION. */
void command_gaps_take(struct command_session *session);

/* Take them from SESSION, before lists are asked for that leave open something of their own; to be
 * freed. */
struct command_text command_gaps_get(struct command_session *session);

/* Write GAPS as notes, behind INDENT. */
void command_gaps_write(struct command_session *session, const char *indent,
                        const struct command_text *gaps);

/* Add them as key "notes" of JSON; nothing when there are none. */
void command_gaps_json(struct command_json *json);

/* Add them to TEXT, one behind the other. */
void command_gaps_join(const struct command_session *session, struct command_text *text);

#endif
