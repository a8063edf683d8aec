/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searching memory. */
#ifndef LIBOMPD_SCAN_H
#define LIBOMPD_SCAN_H

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- read-ahead ------------------------------------------------------------------------------ */

/* Read-ahead for walks. */

/* Between these two calls, target_view reads ahead where addresses follow each other: up to
 * TARGET_WINDOW_SIZE in each of several places. Without memory for that, walks are slower. */
void read_ahead_begin(struct target *target);

void read_ahead_end(struct target *target);

/* For target_view during a walk: set *BYTES if the bytes are read ahead, or can be now. */
bool read_ahead_view(struct target *target, uint64_t address, uint64_t size, const uint8_t **bytes);

/* ---- region ---------------------------------------------------------------------------------- */

/* The target's memory by the tool's regions: the ranges worth searching. */

/* Further regions are ignored: law 6. */
#define REGION_LIMIT (1u << 22)

/* What a walk searches for. Memory with unknown permissions counts as both. */
enum region_use {
    region_writable, /* memory that the program can write to */
    region_data      /* memory that is not code */
};

/* Addresses [start, end) without a gap that are alike in three ways: whether a core has saved them;
 * if not, what the tool knows about their permissions and presumes about their contents; and
 * whether they are to be searched. */
struct region_run {
    uint64_t start;
    uint64_t end;
    uint64_t whole_start; /* of the mapping that this is a part of, as far as the tool knows */
    uint64_t whole_end;
    bool is_saved;
    bool is_searched;   /* whatever could be found in the unsaved part is saved elsewhere */
    bool is_known;      /* whether it is saved; this and the next are those of its first part */
    bool is_usable;     /* the program can read and write it, as far as the tool knows */
    bool is_untouched;  /* presumably never written to, if it cannot be read */
    bool has_zeros;     /* parts of it are known to be all 0 */
    bool is_unsearched; /* too large to be searched, as the tool reports */
};

struct region_walk {
    struct target *target;
    enum region_use use;
    uint64_t end;     /* the walk ends here */
    uint64_t address; /* of the next region, or below it */
    struct region_run next;
    bool has_next;
    bool has_known; /* some region so far had permissions */
    bool is_broken; /* the tool's `memory_region` failed or reported something impossible */
    uint32_t count; /* number of regions so far */
};

/* Whether ONE and OTHER lie in the same region, saved or not; false when the tool does not know. */
bool region_has_both(struct target *target, uint64_t one, uint64_t other);

/* Begin a walk through [START, END). Returns ompd_rc_ok, or ompd_rc_unsupported when the tool does
 * not list regions. */
ompd_rc_t region_walk_begin(struct region_walk *walk, struct target *target, enum region_use use,
                            uint64_t start, uint64_t end);

/* Get the region around ADDRESS as the tool reports it now. A region that a core has saved in part
 * is reported as a whole, as if all of it were like the part at ADDRESS. Returns ompd_rc_ok;
 * ompd_rc_unavailable when there is none; ompd_rc_incomplete when the tool failed;
 * ompd_rc_unsupported. */
ompd_rc_t region_get(struct target *target, uint64_t address, struct region_run *run);

/* The same for that part alone. */
ompd_rc_t region_get_part(struct target *target, uint64_t address, struct region_run *run);

/* As region_get, joined with neighbours that differ only in being known to be all 0: they are parts
 * of one mapping. */
ompd_rc_t region_get_whole(struct target *target, uint64_t address, struct region_run *run);

/* As region_get, for callers that do not need the reason. Returns false if there is no region. */
bool region_find(struct target *target, uint64_t address, struct region_run *run);

/* The end of the zero words that RUN is known to have at AT; AT if there are none. No others begin
 * below *DATA_END, which is above AT. */
uint64_t region_zeros_end(struct target *target, const struct region_run *run, uint64_t at,
                          uint64_t *data_end);

/* Get the next run, of as many neighbouring regions as possible. Returns false at the end. */
bool region_walk_next(struct region_walk *walk, struct region_run *run);

/* ---- untouched ------------------------------------------------------------------------------- */

/* Unreadable memory that the program presumably never wrote to, so that it is all zeros and holds
 * no object. A pointer into it, in an object or in a runtime's data, disproves that. */

/* The number of separate ranges. Beyond it, later ranges are merged into the last. */
#define UNTOUCHED_LIMIT 32

struct untouched_range {
    uint64_t start;
    uint64_t end;
    uint64_t bytes; /* untouched bytes; a merged range also has others between them */
    bool is_disproved;
};

struct untouched {
    uint64_t bytes;  /* of the ranges that are not disproved */
    bool is_of_core; /* a core has not saved them; otherwise they could not be read */
    uint32_t count;
    struct untouched_range ranges[UNTOUCHED_LIMIT]; /* by ascending address */
};

/* The range around ADDRESS of TARGET, disproved or not; NULL if there is none. */
struct untouched_range *untouched_find(struct untouched *untouched, struct target *target,
                                       uint64_t address);

/* Record that something is at ADDRESS, so its range was written to. Returns the number of bytes
 * that are no longer presumed untouched. */
uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address);

/* ---- scan ------------------------------------------------------------------------------------ */

/*
 * One pass through the target's writable memory for words with one of some values. Memory is mapped
 * or read in windows of TARGET_WINDOW_SIZE.
 */

/* Up to this many values, each word is compared with each. More values are looked up between the
 * smallest and the largest. */
#define SCAN_FEW_WORDS 8

/* After this many failed reads the scan skips the surroundings of a hole: law 6. */
#define SCAN_FAILURE_LIMIT 1024

/* The number of separate unreadable ranges. Beyond it, later ones are merged into the last. */
#define SCAN_HOLE_LIMIT 32

struct scan_hole {
    uint64_t start;
    uint64_t end;
};

/* A word that was found, and the available memory around it. */
struct scan_hit {
    uint64_t address;
    const uint8_t *bytes; /* available memory around the word */
    uint64_t size;        /* of `bytes` */
    uint64_t at;          /* offset of the word in `bytes` */
    uint32_t word;        /* index of its value */
    bool is_tagged;       /* the value has a tag */
    uint64_t start;       /* of the whole memory around it, of which `bytes` is a part, */
    uint64_t end;         /* and its end */
};

/* For scan_hit_view: memory that is not available in the hit. */
const uint8_t *scan_hit_read(struct target *target, const struct scan_hit *hit, int64_t offset,
                             uint32_t width);

/* View WIDTH bytes at OFFSET from the hit, until the next call on TARGET. NULL when they cannot be
 * read or belong to other memory. It makes no difference whether they are in `bytes`. */
static inline const uint8_t *scan_hit_view(struct target *target, const struct scan_hit *hit,
                                           int64_t offset, uint32_t width)
{
    uint64_t at = hit->at + (uint64_t)offset;

    if (at > hit->size || hit->size - at < width)
        return scan_hit_read(target, hit, offset, width);
    target_note_read(target, hit->address + (uint64_t)offset, width);
    return hit->bytes + at;
}

/* The same for the first WIDTH bytes of the hit; NULL also when they are not in `bytes`. */
static inline const uint8_t *scan_hit_view_at_hand(struct target *target,
                                                   const struct scan_hit *hit, uint32_t width)
{
    return hit->at <= hit->size && hit->size - hit->at >= width
               ? scan_hit_view(target, hit, 0, width)
               : NULL;
}

/* Read the number of WIDTH bytes at OFFSET from the hit; false where scan_hit_view returns NULL. */
static inline bool scan_hit_number(struct target *target, const struct scan_hit *hit,
                                   int64_t offset, uint32_t width, uint64_t *value)
{
    const uint8_t *bytes = scan_hit_view(target, hit, offset, width);

    if (bytes == NULL)
        return false;
    *value = target_integer(target, bytes, width);
    return true;
}

/* Whether the WIDTH bytes at OFFSET from the hit belong to the memory around it. If so and
 * scan_hit_view returns NULL, they could not be read. */
static inline bool scan_hit_covers(const struct scan_hit *hit, int64_t offset, uint32_t width)
{
    uint64_t address = hit->address + (uint64_t)offset;

    return address >= hit->start && address <= hit->end && hit->end - address >= width;
}

struct scan {
    /* Set by the caller. */
    const uint64_t *words; /* ascending, not 0 */
    uint32_t word_count;
    bool finds_tagged; /* tagged words are hits too: see tagged_word */
    uint32_t before;   /* bytes before a hit that `visit` usually reads: more are read on demand */
    uint32_t after;
    uint64_t whole; /* number of bytes to scan, for `progress` */
    /* Called for each hit, by ascending address. Any result but ompd_rc_ok ends the scan. */
    ompd_rc_t (*visit)(void *visitor, const struct scan_hit *hit);
    /* Which runs to search; NULL for all. */
    bool (*wants)(void *visitor, const struct region_run *run);
    void *visitor;
    /* Results. */
    uint64_t scanned; /* bytes */
    struct shortfall missing;
    uint16_t failure;      /* ompd_cl_status_t of the last lost bytes; 0: none were lost */
    bool is_cancelled;     /* by the tool's `progress` */
    bool has_lost_regions; /* the tool failed to list them all */
    bool has_known;        /* the tool knows permissions */
    uint32_t retries;      /* after failed reads */
    uint32_t hole_count;
    struct scan_hole holes[SCAN_HOLE_LIMIT];
    struct untouched untouched; /* memory that was neither searched nor lost */
};

/*
 * Search the writable memory of TARGET. Returns ompd_rc_ok; ompd_rc_incomplete when some of it
 * could not be read (the rest was searched) or the tool cancelled; ompd_rc_unsupported when the
 * tool does not list regions; ompd_rc_nomem; else the result of `visit`.
 */
ompd_rc_t scan_memory(struct scan *scan, struct target *target);

/* An object should be at ADDRESS, but none was found. Return whether it may be in memory that SCAN
 * could not read. Memory that was presumed untouched is then no longer presumed so. */
bool scan_has_lost(struct scan *scan, struct target *target, uint64_t address);

/* ---- scan-words ------------------------------------------------------------------------------ */

/* The words of one window: the inner loop of a scan. */

/* Available memory, whose words in [from, to) are scanned. */
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

/* Call SCAN's visitor for every word in VIEW that has one of the values. Returns what the visitor
 * returns. */
ompd_rc_t scan_words(const struct scan *scan, const struct scan_view *view);

/*
 * The pointers that words are compared with. A pointer with a tag, as in values of dynamic
 * languages and in tagged pointers, is found too:
 *  - the low three bits are a tag;
 *  - the bits above those of an address are a tag (NaN-boxing, AArch64's top byte);
 *  - it is shifted left by one to three bits (a small integer), or right by one (a private value of
 *    SpiderMonkey's);
 *  - it is two digits of 30 bits (an int of CPython's);
 *  - it is LuaJIT's light user data: 39 bits; the other bits are stored elsewhere, for many values.
 */
struct tagged_word {
    const uint64_t *pointers; /* ascending and distinct, not 0 */
    uint32_t count;
    unsigned size;    /* of a word, in bytes */
    uint64_t address; /* the address bits of a word; all bits if no tag is above them */
};

/* Prepare to compare words of SIZE bytes with COUNT POINTERS. */
void tagged_word_begin(struct tagged_word *tagged, const uint64_t *pointers, uint32_t count,
                       unsigned size);

/* The index of the pointer that WORD is, or the count if it is none. *IS_TAGGED is set to whether
 * it matches only with a tag. */
uint32_t tagged_word_find(const struct tagged_word *tagged, uint64_t word, bool *is_tagged);

#endif
