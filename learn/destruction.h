/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks are running: what they are like then, and after. */
#ifndef OMPD_LEARN_DESTRUCTION_H
#define OMPD_LEARN_DESTRUCTION_H

#include <learn/layout-draft.h>
#include <learn/population-maker.h>

/* Watch the release of the objects of POPULATION, whose locations DRAFT has, until destruction_end.
 */
void destruction_begin(const struct layout_draft *draft, struct population *population);
void destruction_end(void);

/* Set in DRAFT the count that is 0 meanwhile, and a rule that holds for the live objects of
 * POPULATION and for no freed object whose memory is untouched; and the value of the count when the
 * runtime, ICD, has taken the list of callbacks out, and where these return to. */
void destruction_conclude(struct layout_draft *draft, const struct population *population,
                          const struct icd *icd);

#endif
