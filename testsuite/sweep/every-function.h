/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sweep over every function, on fake targets of both byte orders and word sizes. */
#ifndef SWEEP_EVERY_FUNCTION_H
#define SWEEP_EVERY_FUNCTION_H

#include "guard.h"
#include "session.h"
#include "signatures.h"

/* How many such targets there are. */
#define EVERY_FUNCTION_TARGETS 2

/* A sweep over one function. */
typedef void (*every_function_sweep_t)(const struct sweep_target *target,
                                       const struct sweep_facts *facts,
                                       const struct sweep_signature *signature,
                                       struct sweep_tally *tally);

/* Make target NUMBER, to be freed with sweep_made_up_free. */
struct sweep_target every_function_target(int number);

/* SWEEP over the function of SIGNATURE.  Errors are printed on stdout.  Adds to SUM. */
void every_function_one(every_function_sweep_t sweep, const struct sweep_target *target,
                        const struct sweep_facts *facts, const struct sweep_signature *signature,
                        struct sweep_tally *sum);

/* SWEEP over all functions on TARGET, which is number NUMBER, or only over that named ONLY.  The
 * sum is printed on stdout. */
struct sweep_tally every_function_all(every_function_sweep_t sweep,
                                      const struct sweep_target *target, int number,
                                      const char *only);

#endif
