/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The filters of the command line as the library takes them. */
#ifndef OMPD_HOST_COMMAND_FILTER_H
#define OMPD_HOST_COMMAND_FILTER_H

#include <host/command/row.h>
#include <host/command/session.h>

/* The conditions of the session's options on rows of KIND.  False: they make no sense, or the
 * OpenCL context that they name is not there. */
bool command_filter_get(struct command_session *session, const struct command_kind *kind,
                        ompd_cl_filter_t *filter);

#endif
