/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other properties of objects than the locations of fields: how to recognise them, and what
 * their destruction shows. */
#ifndef OMPD_LEARN_RULES_H
#define OMPD_LEARN_RULES_H

#include <learn/population/population.h>
#include <learn/search/search.h>

/* ---- destruction ----------------------------------------------------------------------------- */

/* Objects whose destructor callbacks are running, and afterwards. */

/* Watch the release of the objects of POPULATION, whose locations are in DRAFT, until
 * destruction_end. */
void destruction_begin(const struct layout_draft *draft, struct population *population);
void destruction_end(void);

/* Set in DRAFT: the count that is 0 meanwhile; a rule that holds for the live objects of
 * POPULATION and for no freed object with untouched memory; the value of the count while the
 * runtime, ICD, has detached the list of callbacks; and the return address of callbacks. */
void destruction_conclude(struct layout_draft *draft, const struct population *population,
                          const struct icd *icd);

/* ---- reference-balance ----------------------------------------------------------------------- */

/* The holders of references to memory objects and OpenCL contexts, counted while all objects are
 * alive. */

/* Set in DRAFT what explains the references to all OpenCL contexts of POPULATION, which was
 * measured.  Some holders do not release their references when they are destroyed. */
void reference_balance_learn_contexts(struct layout_draft *draft,
                                      const struct population *population);

/* Set in DRAFT what explains the references to all memory objects of POPULATION, which was
 * measured: what each mapping holds, and which types of commands hold what they use.  Objects
 * begin with TABLE. */
void reference_balance_learn(struct layout_draft *draft, const struct population *population,
                             uintptr_t table);

/* Drop what does not explain them. */
void reference_balance_check(struct layout_draft *draft, const struct population *population,
                             uintptr_t table);

/* ---- release-counts -------------------------------------------------------------------------- */

/* How many references an object of each kind holds to the objects that it refers to. */

/* Begin.  DRAFT has the locations of reference counts. */
void release_counts_open(const struct layout_draft *draft);

/* For population_release: record what each release returns. */
void release_counts_watch(struct builder *builder, struct specimen *specimen, bool is_after);

/* The same in a destructor callback of the specimen, which is being released. */
void release_counts_watch_dying(const struct specimen *specimen);

/* Set in DRAFT what is the same for all objects of a kind, and for the shared virtual memory
 * that MAKER has released. */
void release_counts_close(struct layout_draft *draft, const struct builder *builder);

/* ---- rules ----------------------------------------------------------------------------------- */

/* What rules and references say about specimens. */

/* The populations to learn from. */
struct populations {
    const struct population *first;
    const struct population *second;
};

/* The kinds (bits 1 << kind) of objects that are mistaken for KIND; and how many would not be
 * with the rule MORE or, if that is NULL, their total number. */
struct mistakes {
    unsigned kinds;
    unsigned count;
};

/* Whether RULE holds for all objects of KIND, judging by bytes that all of them have. */
bool rule_holds_for_kind(const struct layout_rule *rule, enum specimen_kind kind,
                         const struct populations *known);

/* Find the objects that the rules of KIND, and the references that it must have, do not
 * distinguish from it. */
struct mistakes rules_find_mistakes(const struct layout_draft_kind *of, enum specimen_kind kind,
                                    const struct layout_rule *more,
                                    const struct populations *known);

/* ---- deferred-list --------------------------------------------------------------------------- */

/* The list of objects whose destructor callbacks wait for a thread of the runtime. */

/* Let buffers in an OpenCL context of MAKER wait while the callback of another one runs.  If the
 * runtime calls callbacks on a thread of its own, set the location of their list in DRAFT. */
void deferred_list_learn(struct layout_draft *draft, const struct builder *builder);

#endif
