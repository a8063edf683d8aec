/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many references an object of each kind holds of those that it names. */
#ifndef OMPD_LEARN_RELEASE_COUNTS_H
#define OMPD_LEARN_RELEASE_COUNTS_H

#include <learn/layout-draft.h>
#include <learn/population-maker.h>

/* Begin: DRAFT tells where reference counts are. */
void release_counts_open(const struct layout_draft *draft);

/* For maker_release: see what each release gives back. */
void release_counts_watch(struct maker *maker, struct subject *subject, bool is_after);

/* The same in a destructor callback of SUBJECT, which is being released. */
void release_counts_watch_dying(const struct subject *subject);

/* Set in DRAFT what was the same for all objects of a kind, and for the shared virtual memory that
 * MAKER has released. */
void release_counts_close(struct layout_draft *draft, const struct maker *maker);

#endif
