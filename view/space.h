/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a view remembers of an address space between commands: names of addresses, and which objects
 * the numbers of its lists stand for. */
#ifndef OMPD_VIEW_SPACE_H
#define OMPD_VIEW_SPACE_H

#include <view/row.h>
#include <view/view.h>

/* The rows of the last list of one kind, by their number, counted from 1. */
struct view_shown_list {
    uint64_t *ids;
    uint64_t *handles; /* the objects that the rows are about */
    size_t count;
    size_t capacity;
};

struct view_space {
    struct view_space *next;
    ompd_address_space_handle_t *space;
    struct view_places *places; /* of place.c */
    struct view_shown_list lists[VIEW_KIND_COUNT];
    ompd_cl_kind_t last; /* the list that was shown last; 0: none was */
};

/* That of the address space which the command is about. */
struct view_space *view_space_get(ompd_view_t *view);

/* A list of rows of KIND, which has some, is about to be shown: its numbers replace those of the
 * one before. */
void view_space_list_begin(ompd_view_t *view, const struct view_kind *kind);

/* Remember ROW of it, the next in order. */
void view_space_list_add(ompd_view_t *view, const struct view_row *row);

/* See ompd_view_space_forget. */
void view_space_forget(ompd_view_t *view, ompd_address_space_handle_t *space, bool is_gone);

#endif
