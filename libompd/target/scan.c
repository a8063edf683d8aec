/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One pass through the target's writable memory for words with one of some values. */
#include "target/scan.h"

#include <string.h>

/* A failed read is narrowed to units of this size. */
#define PAGE_SIZE 4096

/* A run being searched. */
struct pass {
    struct scan *scan;
    struct target *target;
    struct window window;
    uint64_t start; /* of the run */
    uint64_t end;
    uint64_t whole_start; /* of the whole that it is a part of */
    uint64_t whole_end;
    uint64_t readable; /* the memory below could not be read, or is not in the run */
    uint64_t at;       /* words below have been examined */
    uint64_t data_end; /* from there on it may be known to be 0 */
    uint64_t size;     /* to be read at once */
};

/* Record that the COUNT bytes in [START, END) are missed for the reason FAILURE. */
static void scan_add_missed(struct scan *scan, uint64_t start, uint64_t end, uint64_t *count,
                            uint16_t failure)
{
    struct scan_hole *last = scan->hole_count > 0 ? &scan->holes[scan->hole_count - 1] : NULL;

    *count += end - start;
    shortfall_note(&scan->missing, true);
    scan->failure = failure;
    if (last != NULL && (last->end == start || scan->hole_count == SCAN_HOLE_LIMIT))
        last->end = end;
    else
        scan->holes[scan->hole_count++] = (struct scan_hole){start, end};
}

/* Record that [START, END) could not be read, for the reason FAILURE. */
static void scan_add_hole(struct scan *scan, uint64_t start, uint64_t end, uint16_t failure)
{
    scan_add_missed(scan, start, end,
                    failure == ompd_cl_status_not_saved ? &scan->missing.unsaved
                                                        : &scan->missing.unreadable,
                    failure);
}

bool scan_has_lost(struct scan *scan, struct target *target, uint64_t address)
{
    uint64_t disproved = untouched_disprove(&scan->untouched, target, address);

    scan->missing.unsaved += disproved;
    shortfall_note(&scan->missing, disproved != 0);
    if (disproved != 0)
        scan->failure = ompd_cl_status_not_saved;
    if (untouched_find(&scan->untouched, target, address) != NULL)
        return true;
    for (uint32_t i = 0; i < scan->hole_count; i++) {
        if (address >= scan->holes[i].start && address < scan->holes[i].end)
            return true;
    }
    return false;
}

const uint8_t *scan_hit_read(struct target *target, const struct scan_hit *hit, int64_t offset,
                             uint32_t width)
{
    const uint8_t *bytes;

    if (!scan_hit_covers(hit, offset, width) ||
        target_view(target, hit->address + (uint64_t)offset, width, 0, &bytes) != ompd_rc_ok)
        return NULL;
    return bytes;
}

/* Where to begin reading, so that the bytes needed before a hit at `at` are included. */
static uint64_t window_start(const struct pass *pass)
{
    uint64_t start = pass->at > pass->scan->before ? pass->at - pass->scan->before : 0;

    start -= start % PAGE_SIZE;
    return start > pass->readable ? start : pass->readable;
}

/* The least to read from FROM on: to the end of the page of the next word. */
static uint64_t least_size(const struct pass *pass, uint64_t from)
{
    return pass->at - pass->at % PAGE_SIZE + PAGE_SIZE - from;
}

/* How much to read from FROM on. */
static uint64_t window_size(const struct pass *pass, uint64_t from)
{
    uint64_t size = least_size(pass, from);

    if (size < pass->size)
        size = pass->size;
    return size < pass->data_end - from ? size : pass->data_end - from;
}

/* Continue at ADDRESS; the memory before it is unreadable. */
static void continue_at(struct pass *pass, uint64_t address)
{
    pass->readable = address;
    pass->at = address;
}

/* Read only the next word, so that the tool finds out that it is unreadable. Returns whether it
 * is. */
static bool fails_at_once(struct pass *pass)
{
    uint8_t byte;

    return target_read_uncached(pass->target, pass->at, sizeof(byte), &byte) == ompd_rc_incomplete;
}

/* Add [START, END), behind all earlier ranges. */
static void untouched_add(struct untouched *untouched, uint64_t start, uint64_t end)
{
    struct untouched_range *last =
        untouched->count > 0 ? &untouched->ranges[untouched->count - 1] : NULL;

    untouched->bytes += end - start;
    if (last != NULL && (last->end == start || untouched->count == UNTOUCHED_LIMIT)) {
        last->end = end;
        last->bytes += end - start;
        return;
    }
    untouched->ranges[untouched->count++] =
        (struct untouched_range){.start = start, .end = end, .bytes = end - start};
}

/* After a failed read of SIZE bytes at FROM, a tool that now knows its regions better shows where
 * to continue. Memory that the program cannot read or never wrote to is skipped, and the memory
 * before it is read. Returns whether that is so. */
static bool skip_by_regions(struct pass *pass, uint64_t from, uint64_t size)
{
    struct region_run run;
    uint64_t end;

    if ((from < pass->at && size <= least_size(pass, from) && !fails_at_once(pass)) ||
        region_get_part(pass->target, pass->at, &run) != ompd_rc_ok)
        return false;
    end = run.end < pass->end ? run.end : pass->end;
    if (run.is_untouched || !run.is_usable) {
        if (run.is_untouched)
            untouched_add(&pass->scan->untouched, pass->at, end);
        continue_at(pass, end);
        return true;
    }
    if (end >= from + size || end - from < least_size(pass, from))
        return false;
    pass->size = end - from;
    return true;
}

/* After a failed read of SIZE bytes at FROM, read less next time, or continue behind the hole. */
static void step_back(struct pass *pass, uint64_t from, uint64_t size)
{
    struct scan *scan = pass->scan;

    if (skip_by_regions(pass, from, size))
        return;
    if (++scan->retries > SCAN_FAILURE_LIMIT) {
        pass->size = TARGET_WINDOW_SIZE;
    } else if (size > least_size(pass, from)) {
        pass->size = size / 2 - size / 2 % PAGE_SIZE;
        return;
    }
    scan_add_hole(scan, pass->at, from + size, pass->target->failure);
    continue_at(pass, from + size);
}

/* Scan the words of the window, except those about which the next window has more. */
static ompd_rc_t scan_window(struct pass *pass)
{
    struct scan *scan = pass->scan;
    struct scan_view view = {
        .target = pass->target,
        .start = pass->window.start,
        .bytes = pass->window.bytes,
        .size = pass->window.size,
        .from = pass->at,
        .to = pass->window.start + pass->window.size,
        .run_start = pass->whole_start,
        .run_end = pass->whole_end,
    };
    ompd_rc_t rc;

    if (view.to < pass->data_end && view.to - pass->at > scan->after)
        view.to -= scan->after;
    /* The next window begins with a whole word. */
    if (view.to < pass->data_end && view.to - pass->at > view.to % pass->target->pointer_size)
        view.to -= view.to % pass->target->pointer_size;
    rc = scan_words(scan, &view);
    scan->scanned += view.to - view.from;
    pass->at = view.to;
    if (pass->size == 0)
        pass->size = PAGE_SIZE;
    else if (pass->size < TARGET_WINDOW_SIZE)
        pass->size *= 2;
    return rc;
}

/* Report progress to the tool. Returns false if it cancels. */
static bool scan_report(struct scan *scan, struct target *target)
{
    uint64_t done = scan->scanned + shortfall_bytes(&scan->missing) + scan->untouched.bytes;

    if (target->extra.progress == NULL ||
        (call_out(&target->memory->call) &&
         target->extra.progress(target->context, done < scan->whole ? done : scan->whole,
                                scan->whole)))
        return true;
    scan->is_cancelled = true;
    return false;
}

/* Continue after words known to be 0, because no wanted value is 0. */
static void pass_over_zeros(struct pass *pass, const struct region_run *run)
{
    uint64_t zeros_end;

    while (pass->at < pass->end && pass->at >= pass->data_end) {
        zeros_end = region_zeros_end(pass->target, run, pass->at, &pass->data_end);
        pass->scan->scanned += zeros_end - pass->at;
        pass->at = zeros_end;
    }
}

static ompd_rc_t scan_run(struct pass *pass, const struct region_run *run)
{
    ompd_rc_t rc = ompd_rc_ok;

    pass->start = run->start;
    pass->end = run->end;
    pass->whole_start = run->whole_start;
    pass->whole_end = run->whole_end;
    pass->readable = run->start;
    pass->at = run->start;
    pass->data_end = run->start;
    pass->size = TARGET_WINDOW_SIZE;
    for (pass_over_zeros(pass, run); pass->at < pass->end && rc == ompd_rc_ok;
         pass_over_zeros(pass, run)) {
        uint64_t from = window_start(pass);
        uint64_t size = window_size(pass, from);

        rc = target_fill(pass->target, &pass->window, from, size, 0);
        if (rc == ompd_rc_ok) {
            rc = scan_window(pass);
        } else if (rc == ompd_rc_incomplete) {
            step_back(pass, from, size);
            rc = ompd_rc_ok;
        }
        if (rc == ompd_rc_ok && !scan_report(pass->scan, pass->target))
            rc = ompd_rc_incomplete;
    }
    return rc;
}

static void miss_untouched(struct scan *scan, const struct region_run *run)
{
    scan->untouched.is_of_core = true;
    untouched_add(&scan->untouched, run->start, run->end);
}

/* Whether memory that a core has not saved is the contents of a file: the tool knows nothing about
 * it, although it does about others; or it is an unchanged part of a module. */
static bool is_of_file(const struct scan *scan, struct target *target, const struct region_run *run)
{
    struct module module;

    if (scan->has_known && !run->is_known)
        return true;
    for (uint32_t i = 0; module_get(target, i, &module) == ompd_rc_ok; i++) {
        if (run->start >= module.start && run->start <= module.end &&
            run->end <= module_memory_end(target, &module))
            return true;
    }
    return false;
}

/* Return whether RUN is to be searched, or counted as missed. */
static bool run_is_scanned(const struct scan *scan, struct target *target,
                           const struct region_run *run)
{
    if (!run->is_saved && (run->is_searched || is_of_file(scan, target, run)))
        return false;
    return scan->wants == NULL || scan->wants(scan->visitor, run);
}

/* Count the bytes to search. */
static ompd_rc_t scan_measure(struct scan *scan, struct target *target)
{
    struct region_walk walk;
    struct region_run run;
    ompd_rc_t rc;

    rc = region_walk_begin(&walk, target, region_writable, 0, UINT64_MAX);
    if (rc != ompd_rc_ok)
        return rc;
    while (region_walk_next(&walk, &run))
        continue;
    scan->has_known = walk.has_known;
    region_walk_begin(&walk, target, region_writable, 0, UINT64_MAX);
    scan->whole = 0;
    while (region_walk_next(&walk, &run)) {
        if (run_is_scanned(scan, target, &run))
            scan->whole += run.end - run.start;
    }
    if (walk.is_broken)
        scan->failure = ompd_cl_status_unreadable;
    return ompd_rc_ok;
}

ompd_rc_t scan_memory(struct scan *scan, struct target *target)
{
    struct pass pass = {.scan = scan, .target = target, .window.is_searched = true};
    struct region_walk walk;
    struct region_run run;
    ompd_rc_t rc;

    rc = scan_measure(scan, target);
    if (rc != ompd_rc_ok)
        return rc;
    region_walk_begin(&walk, target, region_writable, 0, UINT64_MAX);
    while (rc == ompd_rc_ok && region_walk_next(&walk, &run)) {
        if (!run_is_scanned(scan, target, &run))
            continue;
        if (run.is_unsearched)
            scan_add_missed(scan, run.start, run.end, &scan->missing.unsearched,
                            ompd_cl_status_unreadable);
        else if (run.is_saved)
            rc = scan_run(&pass, &run);
        else if (run.is_untouched)
            miss_untouched(scan, &run);
        else
            scan_add_hole(scan, run.start, run.end, ompd_cl_status_not_saved);
    }
    target_window_close(target, &pass.window);
    if (walk.is_broken) {
        scan->failure = ompd_cl_status_unreadable;
        scan->has_lost_regions = true;
        shortfall_note(&scan->missing, true);
    }
    if (rc == ompd_rc_ok && scan->failure != 0)
        return ompd_rc_incomplete;
    return rc;
}

/* ---- Memory that was never written to -------------------------------------------------------- */

/* Whether ADDRESS, within RANGE, is one of its bytes: if it spans several ranges, the tool
 * knows. */
static bool hole_is_in_range(const struct untouched_range *range, struct target *target,
                             uint64_t address)
{
    struct region_run run;

    if (range->bytes == range->end - range->start)
        return true;
    return region_find(target, address, &run) && run.is_untouched;
}

static uint64_t last_address(const void *ranges, uint64_t index)
{
    return ((const struct untouched_range *)ranges)[index].end - 1;
}

struct untouched_range *untouched_find(struct untouched *untouched, struct target *target,
                                       uint64_t address)
{
    uint64_t index = search_first(untouched->ranges, untouched->count, last_address, address);
    struct untouched_range *range = &untouched->ranges[index];

    if (index == untouched->count || range->start > address ||
        !hole_is_in_range(range, target, address))
        return NULL;
    return range;
}

uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address)
{
    struct untouched_range *range = untouched_find(untouched, target, address);

    if (range == NULL || range->is_disproved)
        return 0;
    range->is_disproved = true;
    untouched->bytes -= range->bytes;
    return range->bytes;
}
