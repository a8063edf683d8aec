/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modules of which the tool cannot tell the symbols: whether one is a runtime that has objects. */
#ifndef LIBOMPD_HIDDEN_RUNTIMES_H
#define LIBOMPD_HIDDEN_RUNTIMES_H

#include "runtime/runtime.h"

/*
 * After runtimes_find gave ompd_rc_incomplete: look through memory for objects of modules whose
 * symbols are not known.  Done once a stop.  Returns ompd_rc_ok when there are none, and with that
 * nothing is missing in RUNTIMES; ompd_rc_incomplete when there may be, or the tool cancelled, or
 * something else was missing; ompd_rc_nomem.
 */
ompd_rc_t hidden_runtimes_find(struct runtimes *runtimes, struct target *target, struct code *code);

#endif
