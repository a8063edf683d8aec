/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that surely have yet to end: the recorder may not know that one has. */
#ifndef LIBOMPD_PENDING_COMMAND_H
#define LIBOMPD_PENDING_COMMAND_H

#include "findings/taking.h"

/* Tell whether COMMAND surely has yet to end, by itself: the runtime says so of its event, or a
 * user event that it waits for is not set.  *RC gets ompd_rc_ok, or why the rule cannot go on. */
bool pending_command_is(struct taking *taking, const ompd_cl_command_info_t *command,
                        ompd_rc_t *rc);

#endif
