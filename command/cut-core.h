/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cores whose files are cut off while they are read. */
#ifndef OMPD_COMMAND_CUT_CORE_H
#define OMPD_COMMAND_CUT_CORE_H

#include <command/session.h>

/* Have TARGET live through that; NULL: no target any more. */
void command_cut_core_watch(ompd_host_target_t *target);

#define COMMAND_CORE_WAS_CUT "The core was cut off while it was read."

/* Whether it has happened to what SESSION looks at: nothing that was found then is to be trusted.
 */
bool command_core_was_cut(const struct command_session *session);

#endif
