/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unreadable memory that the program presumably never wrote to: it is all zeros and holds no
 * object. A pointer into it, in an object or in a runtime's data, disproves that. */
#ifndef LIBOMPD_UNTOUCHED_H
#define LIBOMPD_UNTOUCHED_H

#include "target/target.h"

/* Ranges that are kept apart. Beyond this many, later ones are merged into the last. */
#define UNTOUCHED_LIMIT 32

struct untouched_range {
    uint64_t start;
    uint64_t end;
    uint64_t bytes; /* that are untouched; a merged range has others between them */
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

/* Something is at ADDRESS, so its range was written to. Gives the number of bytes that are no
 * longer presumed untouched. */
uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address);

#endif
