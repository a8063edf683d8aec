/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs that get the program of a run, which then is not traced. */
#ifndef OMPD_COMMAND_LEND_H
#define OMPD_COMMAND_LEND_H

#include <command/session.h>

/* Borrow the process whose number PID is, and become the program WORDS, which NULL ends: it has
 * the process until it ends, and all that it starts.  Returns where that cannot be; the session has
 * failed then. */
void command_lend_to(struct command_session *session, const char *pid, char **words);

#endif
