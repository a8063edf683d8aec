/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From words that point to a dispatch table to candidates, by what lies about them. */
#ifndef LIBOMPD_MATCH_H
#define LIBOMPD_MATCH_H

#include "discovery/candidate.h"

/* Find the candidates: look through memory once.  Returns as scan_memory. */
ompd_rc_t match_candidates(struct discovery *discovery);

#endif
