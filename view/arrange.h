/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the user wants a list: which columns, sorted or grouped by what. */
#ifndef OMPD_VIEW_ARRANGE_H
#define OMPD_VIEW_ARRANGE_H

#include <view/row.h>
#include <view/view.h>

/* Fields of a kind that an option names. */
struct view_chosen_fields {
    const ompd_cl_field_t *fields[VIEW_FIELDS];
    bool is_descending[VIEW_FIELDS]; /* of -sort: the largest first */
    size_t count;                    /* 0: the option was not given */
};

struct view_arrangement {
    struct view_chosen_fields columns;
    struct view_chosen_fields order;
    struct view_chosen_fields group; /* at most one */
};

/* Put what the view's options say in ARRANGEMENT.  False: they make no sense for rows of KIND. */
bool view_arrangement_get(ompd_view_t *view, const struct view_kind *kind,
                          struct view_arrangement *arrangement);

/* Less than, equal to or more than 0: LEFT comes before, beside or behind RIGHT.  What is not known
 * comes last. */
int view_order_compare(const struct view_chosen_fields *order, const struct view_row *left,
                       const struct view_row *right);

#endif
