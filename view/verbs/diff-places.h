/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The comparison of two snapshots: the changes in objects, by the call sites that made them.
 *
 * The library cannot compare: an address space is of one target, and the two snapshots are opened
 * one after the other, often from two machines.  They do not share addresses, only the names and
 * lines of functions, which the library does not know.  Within one process, the recorder's creation
 * order identifies objects.
 */
#ifndef OMPD_VIEW_DIFF_PLACES_H
#define OMPD_VIEW_DIFF_PLACES_H

#include <ompd-opencl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The compared kinds, in the order of totals. */
#define VIEW_DIFF_KINDS 16
extern const ompd_cl_kind_t view_diff_kinds[VIEW_DIFF_KINDS];

enum view_diff_side { view_diff_before, view_diff_after };
#define VIEW_DIFF_SIDES 2

/* An object of one side. */
struct view_diff_object {
    uint64_t order;   /* its creation order in the process; 0: unknown */
    uint64_t bytes;   /* of its own */
    uint64_t stack;   /* number of its call stack on this side; 0: none */
    uint64_t caller;  /* the innermost call; 0: unknown */
    uint32_t kind;    /* index in view_diff_kinds */
    uint32_t place;   /* of diff-places.c */
    bool lacks_bytes; /* they are unknown */
};

struct view_diff_count {
    uint64_t count;
    uint64_t bytes;
    bool lacks_bytes; /* some are unknown */
};

/* Objects of one kind with the same call stack. */
struct view_diff_place {
    uint32_t kind; /* index in view_diff_kinds */
    char *calls;   /* one line per call, innermost first; "": unknown */
    struct view_diff_count sides[VIEW_DIFF_SIDES];
    /* Of one process: objects made and destroyed in between.  Objects whose creation was not
     * recorded are in neither. */
    struct view_diff_count made;
    struct view_diff_count destroyed;
};

/* Facts about one side, set by the caller. */
struct view_diff_facts {
    bool is_told[VIEW_DIFF_KINDS];      /* it lists objects of this kind */
    bool is_whole[VIEW_DIFF_KINDS];     /* and all of them */
    bool has_presumed[VIEW_DIFF_KINDS]; /* some are only presumed */
    uint64_t last_order;                /* the largest creation order */
    uint64_t depth;                     /* most recorded calls of a stack; 0: none */
    uint64_t *destroyed; /* creation orders of recently destroyed objects, owned by the caller */
    size_t destroyed_count;
};

struct view_diff_objects {
    struct view_diff_object *all;
    size_t count;
};

/* Begin with {0}. */
struct view_diff {
    struct view_diff_objects objects[VIEW_DIFF_SIDES];
    struct view_diff_facts facts[VIEW_DIFF_SIDES];
    bool is_one_process; /* set by the caller: both sides are of one process */
    /* For all to read, after view_diff_settle: sorted by change, then by growth in bytes, then by
     * growth in count. */
    struct view_diff_place *places;
    size_t count;
    size_t changed; /* the number of changed ones, which come first */
    struct view_diff_place totals[VIEW_DIFF_KINDS]; /* without calls */
};

/* Add OBJECT to SIDE, without its place. */
void view_diff_add(struct view_diff *diff, enum view_diff_side side,
                   const struct view_diff_object *object);

/* Find the places of the objects of SIDE.  CALLS, called with USER_PTR, returns the lines of the
 * call stack of OBJECT, to be freed with heap_free.  Call it once for each side, while its snapshot
 * is open. */
void view_diff_find_places(struct view_diff *diff, enum view_diff_side side,
                           char *(*calls)(void *user_ptr, const struct view_diff_object *object),
                           void *user_ptr);

/* Whether the first side is of a later moment of the same process. */
bool view_diff_is_reversed(const struct view_diff *diff);

/* Compare both sides.  Kinds that only one side lists are left out. */
void view_diff_settle(struct view_diff *diff);

/* Whether objects of KIND, an index, are compared. */
bool view_diff_is_compared(const struct view_diff *diff, size_t kind);

/* Whether objects of PLACE's kind have bytes. */
bool view_diff_has_bytes(const struct view_diff_place *place);

/* The number of calls compared per stack; 0: call sites are unknown. */
uint64_t view_diff_depth(const struct view_diff *diff);

void view_diff_free(struct view_diff *diff);

#endif
