/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target's memory as the tool's regions show it: the stretches that are worth searching. */
#ifndef LIBOMPD_REGION_H
#define LIBOMPD_REGION_H

#include "target/target.h"

/* Further regions are not looked at: law 6. */
#define REGION_LIMIT (1u << 22)

/* What a walk is after; memory whose permissions the tool does not tell is both. */
enum region_use {
    region_writable, /* what the program can write to */
    region_data      /* what is not code */
};

/* Addresses [start, end) without a gap, alike in whether a core has saved them and, where it has
 * not, in whether the tool knows what the program can do there and what it presumes of them; and
 * in whether they are to be searched. */
struct region_run {
    uint64_t start;
    uint64_t end;
    uint64_t whole_start; /* of what the program has mapped as one, as far as the tool knows */
    uint64_t whole_end;
    bool is_saved;
    bool is_searched;   /* what could be found in what is not saved is saved elsewhere */
    bool is_known;      /* of what is saved, as the next ones: that of its first part */
    bool is_usable;     /* the program can read and write there, as far as the tool knows */
    bool is_untouched;  /* what cannot be read was presumably never written to */
    bool has_zeros;     /* parts of it are known to be all 0 */
    bool is_unsearched; /* it is too much to be searched, as the tool says */
};

struct region_walk {
    struct target *target;
    enum region_use use;
    uint64_t end;     /* walked no further */
    uint64_t address; /* of the next region, or below it */
    struct region_run next;
    bool has_next;
    bool has_known; /* a region so far had permissions, wanted or not */
    bool is_broken; /* the tool's `memory_region` failed, or told what cannot be */
    uint32_t count; /* regions so far */
};

/* Tell whether ONE and OTHER lie in the same region, saved or not; false when the tool does not
 * know. */
bool region_has_both(struct target *target, uint64_t one, uint64_t other);

/* Begin to walk through [START, END).  Returns ompd_rc_ok, or ompd_rc_unsupported when the tool
 * does not tell regions. */
ompd_rc_t region_walk_begin(struct region_walk *walk, struct target *target, enum region_use use,
                            uint64_t start, uint64_t end);

/* Ask the tool for the region that ADDRESS lies in, as it tells it now; one of which a core has
 * parts is told as a whole, the rest being as what is at ADDRESS.  Returns ompd_rc_ok;
 * ompd_rc_unavailable when there is none; ompd_rc_incomplete when the tool failed;
 * ompd_rc_unsupported. */
ompd_rc_t region_look(struct target *target, uint64_t address, struct region_run *run);

/* The same of that part alone. */
ompd_rc_t region_look_part(struct target *target, uint64_t address, struct region_run *run);

/* As region_look, with the neighbours that differ only in that they, or it, are known to be all 0:
 * parts of what the program has mapped as one. */
ompd_rc_t region_look_whole(struct target *target, uint64_t address, struct region_run *run);

/* As region_look where it is all one why there is none.  False: there is none. */
bool region_find(struct target *target, uint64_t address, struct region_run *run);

/* Where the words of 0 end that RUN is known to have at AT, within it; AT: there are none.  No
 * others begin below *DATA_END, which is above AT. */
uint64_t region_zeros_end(struct target *target, const struct region_run *run, uint64_t at,
                          uint64_t *data_end);

/* Give the next run, of as many neighbouring regions as there are.  False at the end. */
bool region_walk_next(struct region_walk *walk, struct region_run *run);

#endif
