/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two looks, matched: which objects there are more or fewer of, by the places that made them.
 *
 * This is the reader's work and not the library's: an address space of the library's is of one
 * target, and here are two, one after the other, often of two machines.  What they have in common
 * are no addresses but texts, what the functions and lines of places are called, which the library
 * does not know.  Within one process the recorder's order of creation tells objects apart besides.
 */
#ifndef OMPD_VIEW_DIFF_PLACES_H
#define OMPD_VIEW_DIFF_PLACES_H

#include <ompd-opencl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of objects that are compared, in the order in which totals are told. */
#define VIEW_DIFF_KINDS 10
extern const ompd_cl_kind_t view_diff_kinds[VIEW_DIFF_KINDS];

enum view_diff_side { view_diff_before, view_diff_after };
#define VIEW_DIFF_SIDES 2

/* An object that is there in a look. */
struct view_diff_object {
    uint64_t order;   /* in which it was made in its process; 0: not known */
    uint64_t bytes;   /* of its own */
    uint64_t stack;   /* number of its call stack, in this look; 0: none */
    uint64_t caller;  /* the innermost call; 0: not known */
    uint32_t kind;    /* index in view_diff_kinds */
    uint32_t place;   /* of diff-places.c */
    bool lacks_bytes; /* they are not known */
};

struct view_diff_count {
    uint64_t count;
    uint64_t bytes;
    bool lacks_bytes; /* those of some are not known */
};

/* Objects of one kind that were made by the same calls. */
struct view_diff_place {
    uint32_t kind; /* index in view_diff_kinds */
    char *calls;   /* a line for each, innermost first; "": not known */
    struct view_diff_count sides[VIEW_DIFF_SIDES];
    /* Of one process: not there before, and there no more.  Objects that the recorder has not seen
     * being made are neither. */
    struct view_diff_count made;
    struct view_diff_count destroyed;
};

/* What a look tells besides its objects: to be set by the caller. */
struct view_diff_facts {
    bool is_told[VIEW_DIFF_KINDS];      /* it tells of objects of that kind, */
    bool is_whole[VIEW_DIFF_KINDS];     /* and of all of them */
    bool has_presumed[VIEW_DIFF_KINDS]; /* some of them are only presumed to be there */
    uint64_t last_order;                /* the largest that was given to an object */
    uint64_t depth;                     /* calls that are known of each stack, at most; 0: none */
    uint64_t *gone; /* orders of the last objects that were gone; of the caller */
    size_t gone_count;
};

struct view_diff_objects {
    struct view_diff_object *all;
    size_t count;
};

/* Begin with {0}. */
struct view_diff {
    struct view_diff_objects objects[VIEW_DIFF_SIDES];
    struct view_diff_facts facts[VIEW_DIFF_SIDES];
    bool is_one_process; /* set by the caller: the looks are of one */
    /* For all to read, once it is settled: those with a change first, the largest growth in bytes,
     * then in count, before others. */
    struct view_diff_place *places;
    size_t count;
    size_t changed;                                 /* so many of them have a change */
    struct view_diff_place totals[VIEW_DIFF_KINDS]; /* without calls */
};

/* Add OBJECT of LOOK, whose place is not known yet. */
void view_diff_add(struct view_diff *diff, enum view_diff_side side,
                   const struct view_diff_object *object);

/* Find the places of the objects of LOOK: CALLS, with USER_PTR, gives the lines of those that have
 * the same as OBJECT, for heap_free.  To be called once for each look, as long as it is open. */
void view_diff_find_places(struct view_diff *diff, enum view_diff_side side,
                           char *(*calls)(void *user_ptr, const struct view_diff_object *object),
                           void *user_ptr);

/* Whether facts say that the first look is of a later moment of the same process. */
bool view_diff_is_reversed(const struct view_diff *diff);

/* Compare, once both looks are there.  Kinds that not both tell of are left out. */
void view_diff_settle(struct view_diff *diff);

/* Whether objects of KIND, an index, are compared. */
bool view_diff_is_compared(const struct view_diff *diff, size_t kind);

/* Whether objects of PLACE's kind have bytes. */
bool view_diff_has_bytes(const struct view_diff_place *place);

/* Calls of each stack that are compared; 0: places are not known. */
uint64_t view_diff_depth(const struct view_diff *diff);

void view_diff_free(struct view_diff *diff);

#endif
