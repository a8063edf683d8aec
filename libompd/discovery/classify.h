/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which candidates are objects, and of which kind: those that name objects of the right kinds. */
#ifndef LIBOMPD_CLASSIFY_H
#define LIBOMPD_CLASSIFY_H

#include "discovery/candidate.h"

/* Choose for each handle which kind of object it is, if any, and tell what it names. */
void classify_candidates(struct discovery *discovery);

#endif
