/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a command's event tells of the command. */
#ifndef LIBOMPD_COMMAND_COMPLETION_H
#define LIBOMPD_COMMAND_COMPLETION_H

#include "session/address-space.h"

/*
 * Let the event of INFO, a command of the recorder's that is enqueued as far as its own record
 * tells, say that it is over, as the program was told or as a layout shows; and the record of a
 * command that frees SVM, that its function is called.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * these cannot be looked at, and the state is presumed; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t command_row_complete(struct address_space *space, ompd_cl_command_info_t *info);

/* What could not be read for other rows of this stop may be there for the next ones. */
void command_completion_retry(struct address_space *space);

#endif
