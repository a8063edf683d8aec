/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places of entries of the ledger: from which calls an object was retained and released how often.
 */
#ifndef OMPD_VIEW_LEDGER_PLACES_H
#define OMPD_VIEW_LEDGER_PLACES_H

#include <view/row.h>
#include <view/view.h>

struct view_ledger_place;

/* Begin with {0}: none. */
struct view_ledger_places {
    struct view_ledger_place *all;
    size_t count;
    size_t capacity;
};

/* Take in the place of ROW, if it has one. */
void view_ledger_places_take(struct view_ledger_places *places, const struct view_row *row);

/* Write a line for each place, those that did the same most often first, as many as the limit of
 * VIEW lets through. */
void view_ledger_places_write(struct view_ledger_places *places, ompd_view_t *view);

/* Give them back. */
void view_ledger_places_free(struct view_ledger_places *places);

/* Add "retained", or why the object of ROW has ended. */
void view_ledger_action_add(const struct view_row *row, struct text *text);

/* Add " at keep at blur.c:20 < main at blur.c:44", as far as it is known. */
void view_ledger_place_add(ompd_view_t *view, struct view_value caller, struct view_value stack,
                           struct text *text);

/* Add "an event": what the object of ROW is. */
void view_ledger_kind_add(const struct view_row *row, struct text *text);

#endif
