/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the runtimes keep in the data of their own modules. */
#ifndef LIBOMPD_RUNTIME_DATA_H
#define LIBOMPD_RUNTIME_DATA_H

#include "runtime/runtime.h"
#include "target/scan.h"

/*
 * Disprove of the memory that SCAN thought to be untouched what the data of RUNTIMES leads into: a
 * runtime keeps pointers to what it has made.  A pointer to the start of a page does not count: so
 * mmap(2) gives memory to which nothing was written yet.  Returns ompd_rc_ok or ompd_rc_nomem; what
 * cannot be read leads nowhere.
 */
ompd_rc_t runtime_data_check(const struct runtimes *runtimes, struct target *target,
                             struct scan *scan);

#endif
