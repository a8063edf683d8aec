/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runtimes that no layout fits, and of which no object can be missed. */
#ifndef LIBOMPD_RUNTIME_UNUSED_H
#define LIBOMPD_RUNTIME_UNUSED_H

#include "runtime/runtime.h"

/*
 * Look through memory for what leads to the tables of those that no layout fits, and see which of
 * them have no objects of a program.  Done once a stop.  Where some memory could not be read, which
 * `tally_failure` tells, none is taken for unused.  Returns ompd_rc_ok; ompd_rc_incomplete when the
 * tool cancelled; ompd_rc_nomem.
 */
ompd_rc_t runtimes_find_unused(struct runtimes *runtimes, struct target *target);

/* Tell whether so many references to a table, in the runtime's OWN data and in OTHERS, are only the
 * platform and what lies next to it. */
bool runtime_references_are_few(uint32_t own, uint32_t others);

#endif
