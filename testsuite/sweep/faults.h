/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sweep in which the tool's callbacks fail. */
#ifndef SWEEP_FAULTS_H
#define SWEEP_FAULTS_H

#include "guard.h"
#include "session.h"
#include "signatures.h"
#include "tool.h"

/* Make CALLBACK fail at each of its calls within the function of SIGNATURE; adds the results to
 * TALLY. */
void sweep_faults(const struct sweep_target *target, const struct sweep_facts *facts,
                  const struct sweep_signature *signature, enum tool_callback callback,
                  struct sweep_tally *tally);

#endif
