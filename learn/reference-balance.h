/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What holds references of memory objects and OpenCL contexts, seen while all of it lives. */
#ifndef OMPD_LEARN_REFERENCE_BALANCE_H
#define OMPD_LEARN_REFERENCE_BALANCE_H

#include <learn/layout-draft.h>

/* Some objects give nothing back when they go, though they held it: put down in DRAFT what accounts
 * for the references of all OpenCL contexts of POPULATION, which was measured. */
void reference_balance_learn_contexts(struct layout_draft *draft,
                                      const struct population *population);

/* Put down in DRAFT what accounts for the references of all memory objects of POPULATION, which was
 * measured: what each mapping holds, and which types of commands hold what they use.  Objects begin
 * with TABLE. */
void reference_balance_learn(struct layout_draft *draft, const struct population *population,
                             uintptr_t table);

/* Leave out what does not account for them. */
void reference_balance_check(struct layout_draft *draft, const struct population *population,
                             uintptr_t table);

#endif
