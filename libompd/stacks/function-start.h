/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a function begins that has no symbol: the unwind tables of its module tell. */
#ifndef LIBOMPD_FUNCTION_START_H
#define LIBOMPD_FUNCTION_START_H

#include "target/module.h"

/*
 * Have in *START where the function of MODULE begins that ADDRESS is in.  Of a function that the
 * compiler has split, each part begins for itself.  Returns ompd_rc_ok; ompd_rc_unavailable when it
 * is not told; as target_view when the tables cannot be read.
 */
ompd_rc_t function_start_find(struct target *target, const struct module *module, uint64_t address,
                              uint64_t *start);

/* The same with where it ends in *END, behind its last byte. */
ompd_rc_t function_find(struct target *target, const struct module *module, uint64_t address,
                        uint64_t *start, uint64_t *end);

#endif
