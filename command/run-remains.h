/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program has left alive, by the calls that made it: run-remains.c finds it, and
 * run-remains-write.c shows it. */
#ifndef OMPD_COMMAND_RUN_REMAINS_H
#define OMPD_COMMAND_RUN_REMAINS_H

#include <command/run-retains.h>
#include <command/run.h>

#define RUN_FRAMES 128 /* of a call stack, at most */
#define RUN_KEPT 3     /* objects that a group keeps are named, at most */
#define RUN_LISTED 8   /* kinds of objects */

/* The kinds whose objects are listed, and have bytes or not. */
struct run_listed {
    ompd_cl_kind_t kind;
    bool has_bytes;
};

extern const struct run_listed run_listed[RUN_LISTED];

/* Objects whose handles are somewhere. */
struct run_holding {
    uint64_t count;
    uint64_t address; /* where that of one is; 0: in a register, or there are none */
};

/* Objects that were made by the same calls. */
struct run_group {
    uint64_t stack;  /* number of the call stack; 0: none was recorded, */
    uint64_t caller; /* and this is the innermost call; 0: not known */
    bool is_joined;  /* of several */
    bool is_held;    /* the program has released them: other objects hold them */
    uint64_t count;
    uint64_t made;      /* by these calls in all; 0: not known */
    uint64_t bytes;     /* those made of other memory objects not counted twice */
    uint64_t position;  /* of the first in the list */
    size_t suppression; /* that names it */
    char *shown;        /* the call stack as it is printed; NULL before that is known */
    uint64_t lost;      /* whose handles were not found in the program's memory, */
    uint64_t perhaps;   /* or on stacks alone, */
    uint64_t reachable; /* or which objects that are held tell, */
    uint64_t untold;    /* or of which that is not known */
    struct run_holding held;
    struct run_holding presumed; /* in memory that may be the runtime's */
    /* What they keep that the program has released, without 0s between. */
    struct {
        ompd_cl_kind_t kind;
        uint64_t handle;
    } kept[RUN_KEPT];
    bool keeps_more;
    struct run_retains retains; /* of those that are live */
};

struct run_kind {
    struct run_group **groups;
    size_t group_count;
    size_t capacity;
    uint64_t rows; /* that were grouped */
    uint64_t count;
    uint64_t bytes;
    uint64_t held; /* not in `count`: the program has released them, other objects hold them */
    void *root;    /* of the tree of groups, as long as they are found */
};

struct command_remains {
    struct command_session *session;
    struct run_kind kinds[RUN_LISTED];
    bool has_died;  /* the program had no chance to release them */
    uint64_t count; /* of what is left alive, without what others hold */
    uint64_t suppressed;
    struct run_retained *live; /* objects, */
    size_t live_count;         /* as long as groups are found */
    size_t live_capacity;
    struct text missing; /* the sentence for those that could not be read */
};

/* Put the call stack of GROUP in FRAMES, of which there are RUN_FRAMES; one where only the caller
 * is known.  It is of type stack, whatever comes of it. */
ompd_view_value_t run_group_stack(struct command_session *session, const struct run_group *group,
                                  ompd_addr_t *frames);

/* Most bytes first, then most objects, then the order in which they were made: for qsort. */
int run_group_compare(const void *left, const void *right);

/* Add what GROUP has of where handles are, and what it keeps, to the other. */
void run_group_join(struct run_group *group, const struct run_group *more);

void run_group_free(struct run_group *group);

#endif
