/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who and what findings are about, in words. */
#ifndef OMPD_VIEW_FINDING_WORDS_H
#define OMPD_VIEW_FINDING_WORDS_H

#include <view/list.h>

/* Add "buffer 0x5555556027d0": the object of HANDLE, of a kind that is said or that a memory object
 * has. */
void view_finding_add_object(ompd_view_t *view, struct view_value kind, uint64_t handle,
                             struct text *text);

/* Add the object that FIELD, "object" or "other", names. */
void view_finding_add_named(ompd_view_t *view, const struct view_row *finding, const char *field,
                            struct text *text);

/* Add WORDS and, behind them, " at main at app.c:9 by LWP 4711 (thread 1)", as the fields CALLER
 * and LWP of FINDING tell; nothing where they do not. */
void view_finding_add_maker(ompd_view_t *view, const struct view_row *finding, const char *words,
                            const char *caller, const char *lwp, struct text *text);

/* The same of its object, "; made at …" where VERB is "made", and of the other: ", the other at
 * …". */
void view_finding_add_makers(ompd_view_t *view, const struct view_row *finding, const char *verb,
                             struct text *text);

/* Add the other registration of the callback of FINDING, whose user data is gone, if it has one. */
void view_finding_add_registration(ompd_view_t *view, const struct view_row *finding,
                                   struct text *text);

/* Add that the thread of FINDING is in a call with what was never a handle, is one of another
 * kind, or was of an object that is gone. */
void view_finding_describe_handle(ompd_view_t *view, const struct view_row *finding,
                                  struct text *text);

/* Add how often it was at the places that the sentence names, where that has not said so. */
void view_finding_add_times(const struct view_row *finding, struct text *text);

#endif
