/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The references of memory objects that commands hold. */
#ifndef LIBOMPD_COMMAND_REFERENCES_H
#define LIBOMPD_COMMAND_REFERENCES_H

#include "discovery/candidate.h"

/* Add to what is held what the commands found hold, as far as that can be read.  Returns ompd_rc_ok
 * or ompd_rc_nomem. */
ompd_rc_t commands_count(struct judgement *judgement);

/* Take back what CANDIDATE, which is none, was counted for. */
void command_strike(struct judgement *judgement, const struct candidate *candidate);

#endif
