/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One pass through the memory that the target's program can write to, for words that have one of
 * some values.  Memory is lent or read in windows of TARGET_WINDOW_SIZE.
 */
#ifndef LIBOMPD_SCAN_H
#define LIBOMPD_SCAN_H

#include "target/region.h"
#include "target/untouched.h"

/* Up to so many values, each word is compared with each; more are looked up between the least and
 * the largest. */
#define SCAN_FEW_WORDS 8

/* After this many failed reads the scan skips what is around a hole: law 6. */
#define SCAN_FAILURE_LIMIT 1024

/* Unreadable ranges that are kept apart. Beyond this many, later ones are merged into the last. */
#define SCAN_HOLE_LIMIT 32

/* Bytes that were not looked through. */
struct scan_missed {
    uint64_t unsaved;    /* that a core has not saved, */
    uint64_t unsearched; /* that are too many, as the tool says, */
    uint64_t unreadable; /* and that could not be read for another reason */
};

static inline uint64_t scan_missed_sum(const struct scan_missed *missed)
{
    return missed->unsaved + missed->unsearched + missed->unreadable;
}

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
const uint8_t *scan_hit_look(struct target *target, const struct scan_hit *hit, int64_t offset,
                             uint32_t width);

/* The WIDTH bytes at OFFSET from the hit, until the next call on TARGET; NULL when they cannot be
 * read or are of other memory.  Where what is at hand ends makes no difference. */
static inline const uint8_t *scan_hit_view(struct target *target, const struct scan_hit *hit,
                                           int64_t offset, uint32_t width)
{
    uint64_t at = hit->at + (uint64_t)offset;

    if (at > hit->size || hit->size - at < width)
        return scan_hit_look(target, hit, offset, width);
    target_look_at(target, hit->address + (uint64_t)offset, width);
    return hit->bytes + at;
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
    bool finds_tagged; /* words that are one of them with a tag are hits too: see tagged-word.h */
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
    struct scan_missed missed;
    uint16_t failure;      /* ompd_cl_status_t of the last of them; 0: none were lost */
    bool is_cancelled;     /* by the tool's `progress` */
    bool has_lost_regions; /* the tool failed to tell them all */
    bool has_known;        /* the tool knows permissions */
    uint32_t failures;     /* of reads */
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

#endif
