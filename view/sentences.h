/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sentences around the tables. */
#ifndef OMPD_VIEW_SENTENCES_H
#define OMPD_VIEW_SENTENCES_H

#include <view/rows.h>

/* Add "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>". */
void view_object_header(ompd_view_t *view, const struct view_row *row, struct text *text);

/* Add "2 destructor callbacks, in call order".  TOLD is how many the row of their object says: it
 * may not know of any. */
void view_destructor_count(uint64_t count, struct view_value told, struct text *text);

/* Add what happens to the object ROW once its CALLBACKS have run; nothing when there is nothing to
 * say. */
void view_after_destructors(ompd_view_t *view, const struct view_row *row,
                            const struct view_rows *callbacks, struct text *text);

/* Add "Portable Computing Language 3.1+debian (OpenCL 3.0)". */
void view_platform_describe(const char *name, const char *version, struct text *text);

/* Add "1 SVM free is enqueued".  PLURAL NULL: SINGULAR and an "s". */
void view_are_add(struct text *text, uint64_t count, const char *singular, const char *plural,
                  const char *what);

/* Add a state or kind in words: "waits for events", "SVM frees"; "?" when it is not known. */
void view_words_add(const struct view_row *row, const char *field, struct text *text);

#endif
