/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many references an object of each kind holds of those that it names. */
#ifndef OMPD_HOST_LEARN_BOOKS_H
#define OMPD_HOST_LEARN_BOOKS_H

#include <host/learn/draft.h>
#include <host/learn/make.h>

/* Begin: DRAFT tells where reference counts are. */
void books_open(const struct draft *draft);

/* For maker_release: see what each release gives back. */
void books_watch(struct maker *maker, struct subject *subject, bool is_after);

/* The same in a destructor callback of SUBJECT, which is being released. */
void books_watch_dying(const struct subject *subject);

/* Put down in DRAFT what was the same for all objects of a kind, and for the shared virtual memory
 * that MAKER has released. */
void books_close(struct draft *draft, const struct maker *maker);

#endif
