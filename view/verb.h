/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a view can be asked to do. */
#ifndef OMPD_VIEW_VERB_H
#define OMPD_VIEW_VERB_H

#include <view/context/context.h>

/* Give VIEW the verbs that every view has. */
void view_verbs_take(ompd_view_t *view);

/* The verb called NAME; NULL: there is none. */
const ompd_view_verb_t *view_verb_find(ompd_view_t *view, const char *name);

/* Add "try `help opencl memobjs`": of VERB, or with NULL of all. */
void view_verb_advise(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* Add what help says of VERB, or with NULL of all. */
void view_help_add(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* See ompd_view_completion_get.  False: there is no number INDEX. */
bool view_completion_add(ompd_view_t *view, const char *name, const char *arguments, size_t index,
                         bool *is_expression, struct text *text);

#endif
