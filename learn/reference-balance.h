/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What holds the references of memory objects and OpenCL contexts, counted while all objects live.
 */
#ifndef OMPD_LEARN_REFERENCE_BALANCE_H
#define OMPD_LEARN_REFERENCE_BALANCE_H

#include <learn/layout-draft.h>

/* Some objects hold references that do not come back when they go: set in DRAFT what accounts for
 * the references of all OpenCL contexts of POPULATION, which was measured. */
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
