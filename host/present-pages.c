/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/present-pages.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Shorter stretches are not worth a region of their own. */
#define LEAST_HOLE (UINT64_C(64) << 10) /* bytes */

/* Regions are split into this many more parts at most: law 6. */
#define PART_LIMIT (1u << 20)

/*
 * PAGEMAP_SCAN of <linux/fs.h>, since Linux 6.7, as Documentation/admin-guide/mm/pagemap.rst says:
 * it passes over page tables that are not there, so that terabytes take a millisecond.
 */
struct pages_scan {
    uint64_t size; /* of this structure */
    uint64_t flags;
    uint64_t start;
    uint64_t end;
    uint64_t walk_end; /* out: where the kernel stopped */
    uint64_t ranges;   /* address of struct pages_range, */
    uint64_t range_count;
    uint64_t max_pages;
    uint64_t inverted; /* bits of PAGE_IS_ to be off; then those that must be right, */
    uint64_t required;
    uint64_t any_of;   /* those of which one must be on, */
    uint64_t returned; /* and those by which ranges are told apart */
};

struct pages_range {
    uint64_t start;
    uint64_t end;
    uint64_t bits;
};

#define SCAN_PAGES _IOWR('f', 16, struct pages_scan)
#define PAGE_PRESENT (UINT64_C(1) << 3)
#define PAGE_SWAPPED (UINT64_C(1) << 4)
#define PAGE_ZERO (UINT64_C(1) << 5) /* the kernel's own, of what was only read */
#define RANGES_AT_ONCE 512

/*
 * On an older kernel the words of /proc/PID/pagemap themselves are read, one for each page whether
 * it is there or not: as many as this at most, which takes the kernel some seconds.
 */
#define WORDS_AT_ONCE 8192
#define MOST_WORDS (UINT64_C(1) << 29) /* of 2 TiB */
#define WORD_SWAPPED (UINT64_C(1) << 62)
#define WORD_PRESENT (UINT64_C(1) << 63)

/* A search through the regions of a process, in ascending order. */
struct pages_search {
    int file; /* /proc/PID/pagemap */
    uint64_t page;
    bool has_scan;           /* as far as is known */
    uint64_t words;          /* that may still be read */
    uint32_t parts;          /* that were added */
    bool is_short;           /* of memory */
    struct region_list list; /* the parts */
    struct region rest;      /* what is not in it of the region that is being split */
    uint64_t empty_from;     /* where pages have been missing since, in it */
};

/* Add what of the region lies before END. */
static void add_part(struct pages_search *search, uint64_t end, bool is_zero)
{
    struct region part = search->rest;

    part.end = end;
    part.is_zero = is_zero;
    search->parts += part.start < part.end;
    search->is_short = search->is_short || !region_add(&search->list, &part);
    search->rest.start = end;
}

/* There are no pages from the last that was there up to START; those up to END are. */
static void take_pages(struct pages_search *search, uint64_t start, uint64_t end)
{
    if (start > search->empty_from && start - search->empty_from >= LEAST_HOLE &&
        search->parts < PART_LIMIT) {
        add_part(search, search->empty_from, false);
        add_part(search, start, true);
    }
    search->empty_from = end;
}

/* Take the pages of [START, END) from the kernel's own search.  False: it has none. */
static bool scan_pages(struct pages_search *search, uint64_t start, uint64_t end)
{
    struct pages_range ranges[RANGES_AT_ONCE];
    struct pages_scan scan = {
        .size = sizeof(scan),
        .end = end,
        .ranges = (uintptr_t)ranges,
        .range_count = RANGES_AT_ONCE,
        .inverted = PAGE_ZERO,
        .required = PAGE_ZERO,
        .any_of = PAGE_PRESENT | PAGE_SWAPPED,
        .returned = PAGE_ZERO,
    };

    while (start < end && search->parts < PART_LIMIT) {
        int count;

        scan.start = start;
        count = ioctl(search->file, SCAN_PAGES, &scan);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 || scan.walk_end <= start)
            return false;
        for (int i = 0; i < count; i++)
            take_pages(search, ranges[i].start, ranges[i].end);
        start = scan.walk_end;
    }
    return true;
}

/* Take the pages of [START, END) from the words about each.  False: the kernel does not tell all.
 */
static bool read_pages(struct pages_search *search, uint64_t start, uint64_t end)
{
    uint64_t words[WORDS_AT_ONCE];
    uint64_t page = search->page;

    while (start < end && search->parts < PART_LIMIT) {
        uint64_t wanted = (end - start) / page;
        size_t size = (wanted < WORDS_AT_ONCE ? wanted : WORDS_AT_ONCE) * sizeof(words[0]);
        ssize_t done = pread(search->file, words, size, (off_t)(start / page * sizeof(words[0])));

        if (done < (ssize_t)sizeof(words[0]))
            return false;
        for (size_t i = 0; i < (size_t)done / sizeof(words[0]); i++, start += page) {
            if ((words[i] & (WORD_PRESENT | WORD_SWAPPED)) != 0)
                take_pages(search, start, start + page);
        }
    }
    return true;
}

/* Find the pages of REGION, and add its parts. */
static void split_region(struct pages_search *search, const struct region *region)
{
    uint64_t words = (region->end - region->start) / search->page;
    size_t count = search->list.count;
    bool is_told = false;

    search->rest = *region;
    search->rest.whole_start = region->start;
    search->rest.whole_end = region->end;
    search->empty_from = region->start;
    if (search->has_scan)
        search->has_scan = is_told = scan_pages(search, region->start, region->end);
    if (!search->has_scan && words <= search->words) {
        search->words -= words;
        is_told = read_pages(search, search->empty_from, region->end);
    }
    if (is_told && search->parts < PART_LIMIT)
        take_pages(search, region->end, region->end);
    if (search->list.count == count)
        search->rest = *region;
    add_part(search, region->end, false);
}

/* What is missing of any other memory may be somewhere else: in a file, or with who shares it. */
static bool can_have_holes(const struct region *region)
{
    return region->is_private && region->is_readable && region->is_writable &&
           region->end - region->start >= LEAST_HOLE;
}

bool present_pages_apply(const ompd_host_target_t *target, struct region_list *list)
{
    struct pages_search search = {.has_scan = true, .words = MOST_WORDS};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%u/pagemap", (int)target->pid,
             target->threads[0].lwp);
    search.file = open(path, O_RDONLY | O_CLOEXEC);
    if (search.file < 0)
        return true;
    search.page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < list->count && !search.is_short; i++) {
        if (can_have_holes(&list->items[i]))
            split_region(&search, &list->items[i]);
        else
            search.is_short = !region_add(&search.list, &list->items[i]);
    }
    close(search.file);
    free(search.is_short ? search.list.items : list->items);
    if (!search.is_short)
        *list = search.list;
    return !search.is_short;
}
