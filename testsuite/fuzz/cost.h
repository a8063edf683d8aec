/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much a call of the library may cost the tool (law 13). */
#ifndef FUZZ_COST_H
#define FUZZ_COST_H

/* Callbacks that a call may make, whatever the target. */
#define COST_CALLBACKS 10000000

/* Check that the last call made no more callbacks, read no more bytes and allocated no more than a
 * fake target of this size may cost. Then restart the counts. Without a fake target nothing is
 * counted. */
void cost_check(void);

/* Check that no memory is allocated. */
void cost_check_end(void);

#endif
