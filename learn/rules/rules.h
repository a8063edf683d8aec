/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What holds for objects besides where their fields are: how they are told from others, and what
 * their ends show. */
#ifndef OMPD_LEARN_RULES_H
#define OMPD_LEARN_RULES_H

#include <learn/population/population.h>
#include <learn/search/search.h>

/* ---- destruction ----------------------------------------------------------------------------- */

/* Objects whose destructor callbacks are running: what they are like then, and after. */

/* Watch the release of the objects of POPULATION, whose locations DRAFT has, until destruction_end.
 */
void destruction_begin(const struct layout_draft *draft, struct population *population);
void destruction_end(void);

/* Set in DRAFT the count that is 0 meanwhile, and a rule that holds for the live objects of
 * POPULATION and for no freed object whose memory is untouched; and the value of the count when the
 * runtime, ICD, has taken the list of callbacks out, and where these return to. */
void destruction_conclude(struct layout_draft *draft, const struct population *population,
                          const struct icd *icd);

/* ---- reference-balance ----------------------------------------------------------------------- */

/* What holds the references of memory objects and OpenCL contexts, counted while all objects live.
 */

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

/* ---- release-counts -------------------------------------------------------------------------- */

/* How many references an object of each kind holds of those that it names. */

/* Begin: DRAFT tells where reference counts are. */
void release_counts_open(const struct layout_draft *draft);

/* For maker_release: see what each release gives back. */
void release_counts_watch(struct maker *maker, struct subject *subject, bool is_after);

/* The same in a destructor callback of SUBJECT, which is being released. */
void release_counts_watch_dying(const struct subject *subject);

/* Set in DRAFT what was the same for all objects of a kind, and for the shared virtual memory that
 * MAKER has released. */
void release_counts_close(struct layout_draft *draft, const struct maker *maker);

/* ---- rules ----------------------------------------------------------------------------------- */

/* What rules, and the objects that are named, say of subjects. */

/* What there is to learn from. */
struct populations {
    const struct population *first;
    const struct population *second;
};

/* The kinds, bits 1 << kind, of the objects that are taken for ones of KIND, and how many would not
 * be with the rule MORE; NULL: how many there are. */
struct mistakes {
    unsigned kinds;
    unsigned count;
};

/* Whether RULE holds for all of KIND, by bytes that all of them have. */
bool rule_holds_for_kind(const struct layout_rule *rule, enum subject_kind kind,
                         const struct populations *known);

/* Find what the rules of KIND, and the objects that it must name, do not tell from it. */
struct mistakes rules_find_mistakes(const struct layout_draft_kind *of, enum subject_kind kind,
                                    const struct layout_rule *more,
                                    const struct populations *known);

/* ---- taken-list ------------------------------------------------------------------------------ */

/* The list of objects whose destructor callbacks wait for a thread of the runtime. */

/* Let buffers in an OpenCL context of MAKER wait while the callback of another one runs, and set in
 * DRAFT where the runtime has their list, if it calls callbacks on a thread of its own. */
void taken_list_learn(struct layout_draft *draft, const struct maker *maker);

#endif
