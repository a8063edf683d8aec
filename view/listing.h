/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Showing a list: as a table or as JSON Lines, filtered, and in order where it is short. */
#ifndef OMPD_VIEW_LISTING_H
#define OMPD_VIEW_LISTING_H

#include <view/cell.h>

struct view_listing {
    ompd_cl_kind_t kind;
    const char *const *also; /* as struct view_table_options */
    /* What rows are sorted by; NULL: the order in which they were made. */
    uint64_t (*rank)(const struct view_row *row);
    bool is_small;  /* its rows are put in order however many they are */
    uint64_t queue; /* cl handle: only rows of that command queue; 0: of any */
};

/* Show a list as the view's options say, by RENDERER.  Returns the number of rows shown, or
 * UINT64_MAX when not all rows of the list are. */
uint64_t view_listing_write(struct view_renderer *renderer, const struct view_listing *listing);

/* Whether no option was given that only lists take, to a verb that shows what is of one object
 * where it is given one, and else the list of all rows of KIND.  One that was given is a failure.
 */
bool view_listing_options_refuse(ompd_view_t *view, ompd_cl_kind_t kind);

/* Write that MORE rows than the view's limit are not shown. */
void view_cut_note_write(ompd_view_t *view, const char *indent, uint64_t more);

#endif
