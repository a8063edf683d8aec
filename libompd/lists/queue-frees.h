/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many SVM-free commands each queue has, as the recorder's list of them tells. */
#ifndef LIBOMPD_QUEUE_FREES_H
#define LIBOMPD_QUEUE_FREES_H

#include "session/address-space.h"

/*
 * Count the commands that are not known to be complete, unless all were counted at this stop.  The
 * recorder's own count of a queue is not used: it counts before or after it writes a command down,
 * and does not know which of them layouts show to be gone.  Returns ompd_rc_ok; ompd_rc_incomplete
 * or ompd_rc_error when some could not be read; ompd_rc_unavailable when the recorder has no list
 * of them; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_count(struct address_space *space);

/*
 * Give INFO, a queue of the recorder's, what was counted last: presumed where some of the commands
 * are only presumed to be there.  It keeps the recorder's own count where the recorder has no list
 * of them.  Returns ompd_rc_ok; ompd_rc_incomplete when the commands could not be read, or memory
 * that could not be searched may tell that some are gone, with the count unknown; ompd_rc_nomem or
 * ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_settle(struct address_space *space, ompd_cl_queue_info_t *info);

#endif
