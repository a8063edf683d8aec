/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/process/process.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Shorter holes do not become regions of their own. */
#define LEAST_HOLE (UINT64_C(64) << 10) /* bytes */

/* Maximum number of additional parts that regions are split into (law 6). */
#define PART_LIMIT (1u << 20)

/*
 * PAGEMAP_SCAN of <linux/fs.h>, since Linux 6.7; see Documentation/admin-guide/mm/pagemap.rst.  It
 * skips missing page tables, so that terabytes take a millisecond.
 */
struct pages_scan {
    uint64_t size; /* of this structure */
    uint64_t flags;
    uint64_t start;
    uint64_t end;
    uint64_t walk_end; /* out: where the kernel stopped */
    uint64_t ranges;   /* address of an array of struct pages_range */
    uint64_t range_count;
    uint64_t max_pages;
    uint64_t inverted; /* bits of PAGE_IS_ that must be off; then bits that must match */
    uint64_t required;
    uint64_t any_of;   /* bits of which one must be on */
    uint64_t returned; /* bits that distinguish ranges */
};

struct pages_range {
    uint64_t start;
    uint64_t end;
    uint64_t bits;
};

#define SCAN_PAGES _IOWR('f', 16, struct pages_scan)
#define PAGE_PRESENT (UINT64_C(1) << 3)
#define PAGE_SWAPPED (UINT64_C(1) << 4)
#define PAGE_ZERO (UINT64_C(1) << 5) /* the kernel's zero page, where memory was only read */
#define RANGES_AT_ONCE 512

/* A search through the regions of a process, in ascending order. */
struct pages_search {
    int file;      /* /proc/PID/pagemap */
    bool has_scan; /* as far as is known */
    struct page_words_search words;
    uint32_t parts;          /* number of added parts */
    bool is_short;           /* out of memory */
    struct region_list list; /* the parts */
    struct region rest;      /* the rest of the region that is being split */
    uint64_t empty_from;     /* start of the current hole in it */
};

enum part_kind { part_of_pages, part_without_pages, part_unknown };

/* Add the part of the region before END. */
static void pages_part_add(struct pages_search *search, uint64_t end, enum part_kind kind)
{
    struct region part = search->rest;

    part.end = end;
    part.is_zero = kind == part_without_pages;
    part.is_unsearched = kind == part_unknown;
    search->parts += part.start < part.end;
    search->is_short = search->is_short || !region_add(&search->list, &part);
    search->rest.start = end;
}

/* No pages are present between the last one and START; pages up to END are. */
static void pages_found(struct pages_search *search, uint64_t start, uint64_t end)
{
    if (start > search->empty_from && start - search->empty_from >= LEAST_HOLE &&
        search->parts < PART_LIMIT) {
        pages_part_add(search, search->empty_from, part_of_pages);
        pages_part_add(search, start, part_without_pages);
    }
    search->empty_from = end;
}

/* Find the pages of [START, END) with PAGEMAP_SCAN.  Returns false if the kernel lacks it. */
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
            pages_found(search, ranges[i].start, ranges[i].end);
        start = scan.walk_end;
    }
    return true;
}

/* Pages in [START, END) may or may not be present. */
static void pass_unknown(struct pages_search *search, uint64_t start, uint64_t end)
{
    pages_found(search, start, start);
    pages_part_add(search, start, part_of_pages);
    pages_part_add(search, end, part_unknown);
    search->empty_from = end;
}

/* Find the pages of REGION by their words.  Returns false if the kernel does not provide them. */
static bool read_pages(struct pages_search *search, const struct region *region)
{
    const struct page_knowledge *known;
    int result = page_words_find(&search->words, region, &known);
    size_t i = 0;
    size_t j = 0;

    search->is_short = search->is_short || result < 0;
    if (result != 1)
        return false;
    while (i < known->present.count || j < known->unknown.count) {
        const struct range *present = &known->present.items[i];
        const struct range *unknown = &known->unknown.items[j];

        if (j == known->unknown.count ||
            (i < known->present.count && present->start < unknown->start)) {
            pages_found(search, present->start, present->end);
            i++;
        } else {
            pass_unknown(search, unknown->start, unknown->end);
            j++;
        }
    }
    return true;
}

/* Find the pages of REGION, and add its parts. */
static void split_region(struct pages_search *search, const struct region *region)
{
    size_t count = search->list.count;
    bool is_told = false;

    search->rest = *region;
    search->rest.whole_start = region->start;
    search->rest.whole_end = region->end;
    search->empty_from = region->start;
    if (search->has_scan)
        search->has_scan = is_told = scan_pages(search, region->start, region->end);
    if (!search->has_scan && search->list.count == count)
        is_told = read_pages(search, region);
    if (is_told && search->parts < PART_LIMIT)
        pages_found(search, region->end, region->end);
    if (search->list.count == count)
        search->rest = *region;
    pages_part_add(search, region->end, part_of_pages);
}

/* For other memory, missing pages may be elsewhere: in a file, or in a process that shares it. */
static bool can_have_holes(const struct region *region)
{
    return region->is_private && region->is_readable && region->is_writable &&
           region->end - region->start >= LEAST_HOLE;
}

bool present_pages_apply(ompd_host_target_t *target, struct region_list *list)
{
    struct pages_search search = {
        .has_scan = true,
        .words = {.mapped = list, .target = target, .page = (uint64_t)sysconf(_SC_PAGESIZE)},
    };
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%u/pagemap", (int)target->pid,
             target->threads[0].lwp);
    search.file = search.words.file = open(path, O_RDONLY | O_CLOEXEC);
    if (search.file < 0)
        return true;
    if (target->process.words == NULL)
        target->process.words = calloc(1, sizeof(*target->process.words));
    search.words.words = target->process.words;
    search.is_short = search.words.words == NULL;
    if (!search.is_short)
        page_words_search_begin(&search.words);
    for (size_t i = 0; i < list->count && !search.is_short; i++) {
        if (can_have_holes(&list->items[i]))
            split_region(&search, &list->items[i]);
        else
            search.is_short = !region_add(&search.list, &list->items[i]);
    }
    close(search.file);
    if (search.words.words != NULL)
        page_words_search_end(&search.words);
    free(search.is_short ? search.list.items : list->items);
    if (!search.is_short)
        *list = search.list;
    return !search.is_short;
}
