/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hops of chains of waits in words. */
#ifndef OMPD_VIEW_HOP_H
#define OMPD_VIEW_HOP_H

#include <view/cell.h>

/* Add what HOP is: "command queue 0x5555556027d0", "LWP 4711 (thread 1)". */
void view_hop_name(struct view_renderer *renderer, const struct view_row *hop, struct text *text);

/* Add the same and what leads to the next hop, or is the last word of the chain: "command queue
 * 0x5555556027d0, made at main at app.c:9 by LWP 4711 (thread 1), which waits for". */
void view_hop_describe(struct view_renderer *renderer, const struct view_row *hop,
                       struct text *text);

/* Add the sentence that says how the chain of HOP, its last, ends; BACK is the name of what a cycle
 * comes back to. */
void view_hop_end(struct view_renderer *renderer, const struct view_row *hop, const char *back,
                  struct text *text);

#endif
