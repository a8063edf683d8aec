/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sweeps, each over one function.  They add their results to a tally. */
#ifndef SWEEP_SWEEPS_H
#define SWEEP_SWEEPS_H

#include "guard.h"
#include "session.h"
#include "signatures.h"

/* What a sweep is over, as each of its cases is given it. */
struct sweep {
    const struct sweep_target *target;
    const struct sweep_facts *facts;
    const struct sweep_signature *signature;
};

/* Seconds for one case, on the slowest machine under the slowest tool. */
#define SWEEP_CASE_SECONDS 60

/* Every argument NULL, garbage, stale, of another kind, of another address space, with a bit turned
 * over, and 16 random bit patterns. */
void sweep_arguments(const struct sweep_target *target, const struct sweep_facts *facts,
                     const struct sweep_signature *signature, struct sweep_tally *tally);

/* Use before ompd_initialize, after ompd_finalize, after release, twice. */
void sweep_misuse(const struct sweep_target *target, const struct sweep_facts *facts,
                  const struct sweep_signature *signature, struct sweep_tally *tally);

/* A tool with contexts that are not pointers, with memory that is filled, and inaccessible once
 * freed, and with callbacks that return garbage sizes and addresses. */
void sweep_hostile_tool(const struct sweep_target *target, const struct sweep_facts *facts,
                        const struct sweep_signature *signature, struct sweep_tally *tally);

#endif
