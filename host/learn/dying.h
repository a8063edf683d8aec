/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks are running: what they are like then, and after. */
#ifndef OMPD_HOST_LEARN_DYING_H
#define OMPD_HOST_LEARN_DYING_H

#include <host/learn/draft.h>
#include <host/learn/make.h>

/* Watch the release of the objects of POPULATION, whose places DRAFT has, until dying_end. */
void dying_begin(const struct draft *draft, struct population *population);
void dying_end(void);

/* Put down in DRAFT the count that is 0 meanwhile, and a rule that holds for those of POPULATION,
 * which live, too, but for no freed object whose memory nobody has touched since; and what the
 * count is when the runtime has taken the list of callbacks out of the object. */
void dying_conclude(struct draft *draft, const struct population *population);

#endif
