/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings in words. */
#ifndef OMPD_VIEW_FINDING_H
#define OMPD_VIEW_FINDING_H

#include <view/cell.h>

/* Add the sentence of FINDING, without its end: "buffer 0x5555556027d0 uses host memory that was
 * freed, 4096 B at 0x5555555580c0; made at main at app.c:9 by LWP 4711 (thread 1)". */
void view_finding_describe(struct view_renderer *renderer, const struct view_row *finding,
                           struct text *text);

/* Whether FINDING is a mistake.  That the last build failed is a fact until a kernel is made of the
 * program: a program may try. */
bool view_finding_is_mistake(const struct view_row *finding);

/* Add what the compiler said first of the program of FINDING, on one line: nothing where that is
 * not known, or FINDING is no failed build. */
void view_finding_add_log(ompd_view_t *view, const struct view_row *finding, struct text *text);

#endif
