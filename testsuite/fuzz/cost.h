/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much a call of the library may cost the tool (law 13). */
#ifndef FUZZ_COST_H
#define FUZZ_COST_H

/* Callbacks that a call may make, whatever the target. */
#define COST_CALLBACKS 10000000

/* The call that is over made no more callbacks, read and held no more bytes of the current fake
 * target than one of its size may cost.  Counts anew from here.  Where there is no fake
 * target nothing is counted. */
void cost_check(void);

/* What is held is nothing. */
void cost_check_end(void);

#endif
