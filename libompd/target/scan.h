/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking through memory. */
#ifndef LIBOMPD_SCAN_H
#define LIBOMPD_SCAN_H

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- read-ahead ------------------------------------------------------------------------------ */

/* Reading ahead of a walk. */

/* Between these two calls, target_view reads ahead where addresses follow each other: up to
 * TARGET_WINDOW_SIZE in each of several places. Without memory for that, walks are slower, nothing
 * else. */
void read_ahead_begin(struct target *target);

void read_ahead_end(struct target *target);

/* For target_view, while walking: *BYTES as there, if they are read ahead or now can be. */
bool read_ahead_view(struct target *target, uint64_t address, uint64_t size, const uint8_t **bytes);

/* ---- region ---------------------------------------------------------------------------------- */

/* The target's memory as the tool's regions show it: the stretches that are worth searching. */

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
ompd_rc_t region_get(struct target *target, uint64_t address, struct region_run *run);

/* The same of that part alone. */
ompd_rc_t region_get_part(struct target *target, uint64_t address, struct region_run *run);

/* As region_get, with the neighbours that differ only in that they, or it, are known to be all 0:
 * parts of what the program has mapped as one. */
ompd_rc_t region_get_whole(struct target *target, uint64_t address, struct region_run *run);

/* As region_get where it is all one why there is none.  False: there is none. */
bool region_find(struct target *target, uint64_t address, struct region_run *run);

/* Where the words of 0 end that RUN is known to have at AT, within it; AT: there are none.  No
 * others begin below *DATA_END, which is above AT. */
uint64_t region_zeros_end(struct target *target, const struct region_run *run, uint64_t at,
                          uint64_t *data_end);

/* Give the next run, of as many neighbouring regions as there are.  False at the end. */
bool region_walk_next(struct region_walk *walk, struct region_run *run);

/* ---- untouched ------------------------------------------------------------------------------- */

/* Unreadable memory that the program presumably never wrote to: it is all zeros and holds no
 * object. A pointer into it, in an object or in a runtime's data, disproves that. */

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

/* The range that ADDRESS of TARGET lies in, disproved or not; NULL when it lies in none. */
struct untouched_range *untouched_find(struct untouched *untouched, struct target *target,
                                       uint64_t address);

/* Something is at ADDRESS, so its range was written to. Gives the number of bytes that are no
 * longer presumed untouched. */
uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address);

/* ---- scan ------------------------------------------------------------------------------------ */

/*
 * One pass through the memory that the target's program can write to, for words that have one of
 * some values.  Memory is lent or read in windows of TARGET_WINDOW_SIZE.
 */

/* Up to so many values, each word is compared with each; more are looked up between the least and
 * the largest. */
#define SCAN_FEW_WORDS 8

/* After this many failed reads the scan skips what is around a hole: law 6. */
#define SCAN_FAILURE_LIMIT 1024

/* Unreadable ranges that are kept apart. Beyond this many, later ones are merged into the last. */
#define SCAN_HOLE_LIMIT 32

struct scan_hole {
    uint64_t start;
    uint64_t end;
};

/* A word that was found, and the memory about it that is at hand. */
struct scan_hit {
    uint64_t address;
    const uint8_t *bytes; /* at hand, */
    uint64_t size;        /* so many, */
    uint64_t at;          /* the word being at this offset */
    uint32_t word;        /* index of its value */
    bool is_tagged;       /* which it has with a tag */
    uint64_t start;       /* of the memory about it, of which that is a part, */
    uint64_t end;         /* and where that ends */
};

/* For scan_hit_view: what is not at hand. */
const uint8_t *scan_hit_read(struct target *target, const struct scan_hit *hit, int64_t offset,
                             uint32_t width);

/* The WIDTH bytes at OFFSET from the hit, until the next call on TARGET; NULL when they cannot be
 * read or are of other memory.  Where what is at hand ends makes no difference. */
static inline const uint8_t *scan_hit_view(struct target *target, const struct scan_hit *hit,
                                           int64_t offset, uint32_t width)
{
    uint64_t at = hit->at + (uint64_t)offset;

    if (at > hit->size || hit->size - at < width)
        return scan_hit_read(target, hit, offset, width);
    target_note_read(target, hit->address + (uint64_t)offset, width);
    return hit->bytes + at;
}

/* The same of the WIDTH bytes from the hit on; NULL also when they are not at hand. */
static inline const uint8_t *scan_hit_view_at_hand(struct target *target,
                                                   const struct scan_hit *hit, uint32_t width)
{
    return hit->at <= hit->size && hit->size - hit->at >= width
               ? scan_hit_view(target, hit, 0, width)
               : NULL;
}

/* The number of WIDTH bytes at OFFSET from the hit; false where scan_hit_view gives NULL. */
static inline bool scan_hit_number(struct target *target, const struct scan_hit *hit,
                                   int64_t offset, uint32_t width, uint64_t *value)
{
    const uint8_t *bytes = scan_hit_view(target, hit, offset, width);

    if (bytes == NULL)
        return false;
    *value = target_integer(target, bytes, width);
    return true;
}

/* Tell whether the WIDTH bytes at OFFSET from the hit are of the memory about it: what of that is
 * not given could not be read. */
static inline bool scan_hit_covers(const struct scan_hit *hit, int64_t offset, uint32_t width)
{
    uint64_t address = hit->address + (uint64_t)offset;

    return address >= hit->start && address <= hit->end && hit->end - address >= width;
}

struct scan {
    /* To be set. */
    const uint64_t *words; /* ascending, not 0 */
    uint32_t word_count;
    bool finds_tagged; /* words that are one of them with a tag are hits too: see tagged_word */
    uint32_t before;   /* bytes about a hit that are mostly looked at: others are read for it */
    uint32_t after;
    uint64_t whole; /* bytes to go through, for `progress` */
    /* Told of each hit, by ascending address.  What it returns, but for ompd_rc_ok, ends the scan.
     */
    ompd_rc_t (*visit)(void *visitor, const struct scan_hit *hit);
    /* Which runs to look through; NULL for all. */
    bool (*wants)(void *visitor, const struct region_run *run);
    void *visitor;
    /* Results. */
    uint64_t scanned; /* bytes */
    struct shortfall missing;
    uint16_t failure;      /* ompd_cl_status_t of the last of them; 0: none were lost */
    bool is_cancelled;     /* by the tool's `progress` */
    bool has_lost_regions; /* the tool failed to tell them all */
    bool has_known;        /* the tool knows permissions */
    uint32_t retries;      /* of reads that failed */
    uint32_t hole_count;
    struct scan_hole holes[SCAN_HOLE_LIMIT];
    struct untouched untouched; /* what was neither looked through nor lost */
};

/*
 * Look through the writable memory of TARGET.  Returns ompd_rc_ok; ompd_rc_incomplete when some of
 * it could not be read (the rest was looked through) or the tool cancelled; ompd_rc_unsupported
 * when the tool does not tell regions; ompd_rc_nomem; else what `visit` returned.
 */
ompd_rc_t scan_memory(struct scan *scan, struct target *target);

/* An object should be at ADDRESS, where none was found. Tell whether it may be in memory that SCAN
 * could not read. If that memory was taken for untouched, it was not. */
bool scan_has_lost(struct scan *scan, struct target *target, uint64_t address);

/* ---- scan-words ------------------------------------------------------------------------------ */

/* The words of one window: the loop in which a scan spends its time. */

/* Memory at hand, of which the words in [from, to) are to be looked at. */
struct scan_view {
    struct target *target;
    uint64_t start; /* address of the first of `bytes` */
    const uint8_t *bytes;
    uint64_t size;
    uint64_t from;
    uint64_t to;
    uint64_t run_start; /* of the memory that this is a window on */
    uint64_t run_end;
};

/* Tell SCAN's visitor of every word in VIEW that has one of the values.  Returns as the visitor. */
ompd_rc_t scan_words(const struct scan *scan, const struct scan_view *view);

/*
 * The pointers that words are compared with.  One with a tag, as the values of dynamic languages
 * and tagged pointers are, is found, too:
 *  - the low three bits say something else;
 *  - so do the bits above those of an address (NaN-boxing, AArch64's top byte);
 *  - it is shifted left by one to three bits (a small integer), or right by one (a private value of
 *    SpiderMonkey's);
 *  - it is two digits of 30 bits (an int of CPython's);
 *  - it is LuaJIT's light user data: 39 bits, the others kept elsewhere, once for many.
 */
struct tagged_word {
    const uint64_t *pointers; /* ascending, none twice, not 0 */
    uint32_t count;
    unsigned size;    /* of a word, bytes */
    uint64_t address; /* the bits that an address has; all of a word where no tag lies above them */
};

/* Begin to compare words of SIZE bytes with COUNT POINTERS. */
void tagged_word_begin(struct tagged_word *tagged, const uint64_t *pointers, uint32_t count,
                       unsigned size);

/* The index of the pointer that WORD is; the count: it is none.  *IS_TAGGED gets whether it is one
 * with a tag only. */
uint32_t tagged_word_find(const struct tagged_word *tagged, uint64_t word, bool *is_tagged);

#endif
