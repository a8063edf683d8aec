/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the layout of their runtime does not recognise. */
#ifndef LIBOMPD_UNRECOGNISED_H
#define LIBOMPD_UNRECOGNISED_H

#include "discovery/candidate.h"

/* After the audit: see whether there are objects of a runtime that its layout does not recognise,
 * as those of another build. */
void unrecognised_count(struct discovery *discovery);

#endif
