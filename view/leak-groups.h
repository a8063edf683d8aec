/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that a program leaves, by the calls that made them. */
#ifndef OMPD_VIEW_LEAK_GROUPS_H
#define OMPD_VIEW_LEAK_GROUPS_H

#include <view/list.h>

/* How sure it is that an object is a leak; those that are none are in no group. */
enum view_certainty {
    view_leak_is_certain,
    view_leak_is_presumed,
    view_leak_is_open,
    view_leak_is_untold,   /* only the recorder would know: such are in no group either */
    view_leak_is_unchecked /* not known to be one: whoever has its handle may have been freed */
};
#define VIEW_CERTAINTIES 3 /* of leaks */

/* Of what holds or is kept by a group's objects, so many are named. */
#define VIEW_LEAK_NAMES 3

/* Something with a name, and how many objects of a group have to do with it. */
struct view_leak_name {
    char *text;
    uint64_t count;
};

struct view_leak_names {
    struct view_leak_name all[VIEW_LEAK_NAMES];
    size_t count;
    uint64_t others; /* objects that have to do with others */
};

/* Objects of one kind that were made by the same calls. */
struct view_leak_group {
    ompd_cl_kind_t kind;
    enum view_certainty certainty;
    uint64_t stack;    /* number of the call stack; 0: none was recorded, */
    uint64_t caller;   /* and this is the innermost call; 0: not known */
    uint64_t position; /* of the first among all rows */
    uint64_t count;
    uint64_t made; /* by these calls in all; 0: not known */
    uint64_t bytes;
    uint64_t lost;                  /* whose handles are nowhere, */
    uint64_t perhaps;               /* or only where they may be left over, */
    uint64_t reachable;             /* or which objects that are held tell, */
    uint64_t missed;                /* or were not found, but not all was looked through */
    struct view_leak_names holders; /* of the others; of unchecked ones with their handles */
    struct view_leak_names kept;    /* what they keep that the program has released */
    char *shown;                    /* the call stack in lines; NULL before that is known */
};

/* Begin with {0}: none. */
struct view_leak_groups {
    struct view_leak_group *all;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* indexes plus 1, by what groups have in common; 0: empty */
    size_t slot_count;
    uint64_t rows;
};

/* Add ROW, of a leak that is CERTAINTY. */
void view_leak_groups_add(struct view_leak_groups *groups, ompd_view_t *view,
                          const struct view_row *row, enum view_certainty certainty);

/* Name the calls of each, join those whose calls have the same names, and put them in order: what
 * is certain first, then most bytes, then most objects. */
void view_leak_groups_settle(struct view_leak_groups *groups, ompd_view_t *view);

void view_leak_groups_free(struct view_leak_groups *groups);

#endif
