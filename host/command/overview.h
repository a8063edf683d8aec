/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sentences of the overview, for whoever describes a target in short. */
#ifndef OMPD_HOST_COMMAND_OVERVIEW_H
#define OMPD_HOST_COMMAND_OVERVIEW_H

#include <host/command/row.h>
#include <host/command/session.h>

/* Add "1 context, 2 queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB)". */
void command_overview_counts(const struct command_row *overview, struct command_text *text);

/* Add "1 destructor callback is running (LWP 4711), 1 SVM free is enqueued behind event 0x55d0";
 * nothing when nothing is going on. */
void command_overview_happening(struct command_session *session, const struct command_row *overview,
                                struct command_text *text);

#endif
