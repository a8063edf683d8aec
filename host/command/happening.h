/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes on in the target: callbacks, SVM frees, objects that only the runtime still holds. */
#ifndef OMPD_HOST_COMMAND_HAPPENING_H
#define OMPD_HOST_COMMAND_HAPPENING_H

#include <host/command/row.h>
#include <host/command/session.h>

/* Add "1 destructor callback is running (LWP 4711), 1 SVM free is enqueued behind event 0x55d0", of
 * the target whose OVERVIEW this is; nothing when nothing is going on. */
void command_happening_add(struct command_session *session, const struct command_row *overview,
                           struct command_text *text);

#endif
