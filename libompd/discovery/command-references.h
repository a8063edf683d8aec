/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The references of memory objects that commands hold. */
#ifndef LIBOMPD_COMMAND_REFERENCES_H
#define LIBOMPD_COMMAND_REFERENCES_H

#include "discovery/candidate.h"

/* Add the references that commands hold, as far as they can be read. Returns ompd_rc_ok or
 * ompd_rc_nomem. */
ompd_rc_t commands_count(struct discovery *discovery);

/* Subtract what was counted for CANDIDATE, which is no object. */
void command_discard(struct discovery *discovery, const struct candidate *candidate);

#endif
