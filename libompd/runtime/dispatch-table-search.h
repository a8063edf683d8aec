/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The dispatch tables of runtimes of which nothing is known. */
#ifndef LIBOMPD_DISPATCH_TABLE_SEARCH_H
#define LIBOMPD_DISPATCH_TABLE_SEARCH_H

#include "runtime/runtime.h"

/*
 * Look through memory for the tables of those that have none yet, with no knowledge of them but
 * what a table looks like: for people; objects are found only where there is a layout.  Done once a
 * stop, and not at all where every runtime has its table.  Where some memory could not be read,
 * what was found may be the wrong one: the runtimes' `failure` says so.  Returns ompd_rc_ok, though
 * some may not be found; ompd_rc_incomplete when the tool cancelled: then `searched` is not this
 * stop; ompd_rc_unsupported when it does not tell regions; ompd_rc_nomem.
 */
ompd_rc_t runtimes_search(struct runtimes *runtimes, struct target *target, struct code *code);

#endif
