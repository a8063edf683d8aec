/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory that cannot be read and to which, as the tool presumes, the program never wrote: then it
 * is all zeros and holds no object.  What was found and leads into it disproves that.
 */
#ifndef LIBOMPD_UNTOUCHED_H
#define LIBOMPD_UNTOUCHED_H

#include "target/target.h"

/* Ranges that are kept apart; the last reaches over all further ones, and what lies between. */
#define UNTOUCHED_LIMIT 32

struct untouched_range {
    uint64_t start;
    uint64_t end;
    uint64_t bytes; /* that are untouched: fewer than lie between where it reaches over several */
    bool is_disproved;
};

struct untouched {
    uint64_t bytes;  /* of the ranges that are not disproved */
    bool is_of_core; /* which has not saved them; else they could not be read */
    uint32_t count;
    struct untouched_range ranges[UNTOUCHED_LIMIT]; /* by ascending address */
};

/* Add [START, END), which lies behind all that was added before. */
void untouched_add(struct untouched *untouched, uint64_t start, uint64_t end);

/* The range that ADDRESS of TARGET lies in, disproved or not; NULL when it lies in none. */
struct untouched_range *untouched_find(struct untouched *untouched, struct target *target,
                                       uint64_t address);

/* Something lies at ADDRESS: its range, if it is in one, was written to.  Gives the bytes that are
 * no longer presumed to be untouched. */
uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address);

#endif
