/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pagemap has a word for each page that says whether it is present: 40 GB of words for the 20 TB
 * that AddressSanitizer reserves.  smaps has the number of present pages per mapping.  So words are
 * read where pages are likely, and only until that many pages are found.
 */
#include <host/process/process.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Number of words to read at once. */
#define WORDS_AT_ONCE 8192

/* For memory of at most so many pages, the words are read each time; for larger memory, once. */
#define SMALL_WORDS (UINT64_C(1) << 14) /* 64 MiB of pages of 4 KiB */

/* For so many pages, the starting point matters little. */
#define LARGE_WORDS (UINT64_C(1) << 24) /* 64 GiB */

/* Maximum number of words to read for a process: 2 TiB, which takes some seconds.  Each large
 * mapping gets half of the rest. */
#define MOST_WORDS (UINT64_C(1) << 29)

/* From Documentation/admin-guide/mm/pagemap.rst.  The kernel's own zero page is present but not
 * exclusive. */
#define WORD_EXCLUSIVE (UINT64_C(1) << 56)
#define WORD_MARKED (UINT64_C(1) << 57)
#define WORD_FILE (UINT64_C(1) << 61)
#define WORD_SWAPPED (UINT64_C(1) << 62)
#define WORD_PRESENT (UINT64_C(1) << 63)

#define UNKNOWN_COUNT UINT64_MAX

#define SECOND INT64_C(1000000000) /* nanoseconds */

/* Counts for one mapping from smaps, in KiB. */
struct page_counts {
    struct range range;
    uint64_t resident;
    uint64_t own; /* resident pages that no other process shares */
    uint64_t swapped;
    uint64_t huge; /* of hugetlbfs, which are not counted as resident */
};

/* The first of COUNT sorted items of SIZE bytes whose range begins at or above START. */
static size_t find_first(const void *items, size_t count, size_t size, uint64_t start)
{
    size_t first = 0;

    while (first < count) {
        size_t middle = first + (count - first) / 2;
        const struct range *range = (const void *)((const char *)items + middle * size);

        if (range->start < start)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}

/* ---- smaps ----------------------------------------------------------------------------------- */

/* Add LINE of smaps to the last count.  Returns false if out of memory. */
static bool smaps_line_count(struct page_words_search *search, char *line)
{
    struct page_counts *last =
        search->count_count != 0 ? &search->counts[search->count_count - 1] : NULL;
    struct maps_line read;
    char name[32];
    unsigned long long size;

    if (last != NULL && sscanf(line, "%31[A-Za-z_]: %llu kB", name, &size) == 2) {
        if (strcmp(name, "Rss") == 0)
            last->resident = size;
        else if (strcmp(name, "Private_Clean") == 0 || strcmp(name, "Private_Dirty") == 0)
            last->own += size;
        else if (strcmp(name, "Swap") == 0)
            last->swapped = size;
        else if (strcmp(name, "Private_Hugetlb") == 0 || strcmp(name, "Shared_Hugetlb") == 0)
            last->huge += size;
    } else if (maps_line_read(line, &read)) {
        struct page_counts *counts =
            array_grow(search->counts, search->count_count, sizeof(*counts));

        if (counts == NULL)
            return false;
        search->counts = counts;
        counts[search->count_count++] = (struct page_counts){.range = {read.start, read.end}};
    }
    return true;
}

static bool read_counts(struct page_words_search *search)
{
    const ompd_host_target_t *target = search->target;
    FILE *file = NULL;
    bool is_done = true;
    char path[64];
    size_t capacity = 0;
    char *line = NULL;

    snprintf(path, sizeof(path), "/proc/%d/task/%u/smaps", (int)target->pid,
             target->threads[0].lwp);
    if (!search->has_counts)
        file = fopen(path, "re");
    search->has_counts = true;
    while (file != NULL && is_done && getline(&line, &capacity, file) >= 0)
        is_done = smaps_line_count(search, line);
    free(line);
    if (file != NULL)
        fclose(file);
    return is_done;
}

/* The number of pages of REGION to find; UNKNOWN_COUNT: their words do not show which of them
 * count. */
static uint64_t pages_of(const struct page_words_search *search, const struct region *region)
{
    size_t count = search->count_count;
    size_t at = find_first(search->counts, count, sizeof(*search->counts), region->start);
    const struct page_counts *counts = search->counts + at;

    if (at == count || counts->range.start != region->start || counts->range.end != region->end ||
        counts->own != counts->resident || counts->huge != 0)
        return UNKNOWN_COUNT;
    return ((counts->resident + counts->swapped) << 10) / search->page;
}

/* ---- pagemap --------------------------------------------------------------------------------- */

/* A region whose pages are searched for. */
struct page_hunt {
    const struct page_words_search *search;
    const struct region *region;
    uint64_t wanted;       /* pages */
    uint64_t found;        /* pages so far */
    uint64_t left;         /* words that may still be read */
    uint64_t spent;        /* words that were read */
    struct ranges present; /* present pages */
    struct ranges seen;    /* pages that were checked */
    bool is_denied;        /* the kernel does not provide the words */
};

static bool goes_on(const struct page_hunt *hunt)
{
    return !hunt->is_denied && hunt->left != 0 && hunt->found < hunt->wanted;
}

/* Whether WORD is for a page that smaps counts. */
static bool is_counted(uint64_t word)
{
    if ((word & (WORD_FILE | WORD_MARKED)) != 0)
        return false;
    return (word & WORD_SWAPPED) != 0 ||
           (word & (WORD_PRESENT | WORD_EXCLUSIVE)) == (WORD_PRESENT | WORD_EXCLUSIVE);
}

/* Read the words of the pages in [START, END), while pages are missing. */
static void page_words_read(struct page_hunt *hunt, uint64_t start, uint64_t end)
{
    uint64_t words[WORDS_AT_ONCE];
    uint64_t page = hunt->search->page;

    while (start < end && goes_on(hunt)) {
        uint64_t wanted = (end - start) / page;
        size_t count = wanted < WORDS_AT_ONCE ? wanted : WORDS_AT_ONCE;
        ssize_t done = pread(hunt->search->file, words,
                             (count < hunt->left ? count : hunt->left) * sizeof(words[0]),
                             (off_t)(start / page * sizeof(words[0])));

        if (done < (ssize_t)sizeof(words[0])) {
            hunt->is_denied = done >= 0 || errno != EINTR;
            continue;
        }
        count = (size_t)done / sizeof(words[0]);
        hunt->left -= count;
        hunt->spent += count;
        ranges_add(&hunt->seen, start, count * page);
        for (size_t i = 0; i < count; i++, start += page) {
            if ((words[i] & (WORD_PRESENT | WORD_SWAPPED)) != 0)
                ranges_add(&hunt->present, start, page);
            hunt->found += is_counted(words[i]);
        }
    }
}

/* Read the words of unchecked pages in RANGES. */
static void read_unseen(struct page_hunt *hunt, struct ranges *ranges)
{
    ranges_settle(ranges);
    ranges_settle(&hunt->seen);
    ranges_subtract(ranges, &hunt->seen);
    hunt->seen.is_short |= ranges->is_short;
    for (size_t i = 0; i < ranges->count && goes_on(hunt); i++)
        page_words_read(hunt, ranges->items[i].start, ranges->items[i].end);
}

/* The address of AddressSanitizer's shadow of address 0, where a byte represents eight; 0:
 * unknown. */
static uint64_t shadow_start(uint16_t machine)
{
    switch (machine) {
    case EM_X86_64:
        return UINT64_C(0x7fff8000);
    case EM_AARCH64:
        return UINT64_C(1) << 36;
    default:
        return 0;
    }
}

/* If REGION is AddressSanitizer's, the shadow of mapped memory is present: read that in pieces
 * of SIZE bytes.  Otherwise this finds nothing, at little cost. */
static void read_shadows(struct page_hunt *hunt, uint64_t size)
{
    const struct region_list *mapped = hunt->search->mapped;
    uint64_t shadow = shadow_start(hunt->search->target->machine);
    const struct region *region = hunt->region;
    struct ranges likely = {0};

    for (size_t i = 0; shadow != 0 && i < mapped->count; i++) {
        uint64_t start = (mapped->items[i].start >> 3) + shadow;
        uint64_t end = (mapped->items[i].end >> 3) + shadow + 1;

        if (!mapped->items[i].is_readable || (end - start) / hunt->search->page > LARGE_WORDS)
            continue;
        start = start > size ? start / size * size - size : 0;
        end = (end / size + 2) * size;
        if (start < region->start)
            start = region->start;
        if (end > region->end)
            end = region->end;
        if (start < end)
            ranges_add(&likely, start, end - start);
    }
    read_unseen(hunt, &likely);
    ranges_free(&likely);
}

static void hunt_pages(struct page_hunt *hunt)
{
    const struct region *region = hunt->region;
    struct ranges all = {0};

    if ((region->end - region->start) / hunt->search->page > LARGE_WORDS) {
        hunt->left /= 2;
        read_shadows(hunt, UINT64_C(2) << 20);
        read_shadows(hunt, UINT64_C(64) << 30);
    }
    ranges_add(&all, region->start, region->end - region->start);
    read_unseen(hunt, &all);
    ranges_free(&all);
}

/* ---- Known pages ----------------------------------------------------------------------------- */

/* Move the pages of HUNT to KNOWN.  Returns false if out of memory. */
static bool hunt_settle(struct page_hunt *hunt, struct page_knowledge *known)
{
    const struct region *region = hunt->region;

    *known = (struct page_knowledge){.range = {region->start, region->end}};
    ranges_settle(&hunt->present);
    ranges_settle(&hunt->seen);
    known->present = hunt->present;
    if (hunt->found < hunt->wanted) {
        ranges_add(&known->unknown, region->start, region->end - region->start);
        ranges_subtract(&known->unknown, &hunt->seen);
    }
    known->present.is_short |= hunt->seen.is_short || known->unknown.is_short;
    ranges_free(&hunt->seen);
    return !known->present.is_short;
}

static void knowledge_forget(struct page_knowledge *known)
{
    ranges_free(&known->present);
    ranges_free(&known->unknown);
}

/* Like page_words_find, with the result in KNOWN. */
static int pages_find(struct page_words_search *search, const struct region *region,
                      struct page_knowledge *known)
{
    bool is_small = (region->end - region->start) / search->page <= SMALL_WORDS;
    struct page_hunt hunt = {.search = search, .region = region, .wanted = UNKNOWN_COUNT};
    bool has_memory;

    if (!is_small && !read_counts(search))
        return -1;
    if (!is_small)
        hunt.wanted = pages_of(search, region);
    hunt.left = is_small ? SMALL_WORDS : MOST_WORDS - search->words->spent;
    if (hunt.wanted != 0)
        hunt_pages(&hunt);
    if (!is_small)
        search->words->spent += hunt.spent;
    has_memory = hunt_settle(&hunt, known);
    if (has_memory && !hunt.is_denied)
        return 1;
    knowledge_forget(known);
    return has_memory ? 0 : -1;
}

/* Move KNOWN to index AT of WORDS.  Returns false if out of memory. */
static bool knowledge_move(struct page_words *words, size_t at, struct page_knowledge *known)
{
    struct page_knowledge *items = array_grow(words->items, words->count, sizeof(*items));

    if (items == NULL)
        return false;
    words->items = items;
    memmove(items + at + 1, items + at, (words->count - at) * sizeof(*items));
    items[at] = *known;
    words->count++;
    *known = (struct page_knowledge){0};
    return true;
}

int page_words_find(struct page_words_search *search, const struct region *region,
                    const struct page_knowledge **found)
{
    struct page_words *words = search->words;
    size_t at = find_first(words->items, words->count, sizeof(*words->items), region->start);
    struct page_knowledge *known = &search->small;
    int result;

    if (at < words->count && words->items[at].range.start == region->start &&
        words->items[at].range.end == region->end) {
        *found = &words->items[at];
        return 1;
    }
    knowledge_forget(known);
    *known = (struct page_knowledge){0};
    result = pages_find(search, region, known);
    *found = known;
    if (result == 1 && (region->end - region->start) / search->page > SMALL_WORDS) {
        if (!knowledge_move(words, at, known))
            return -1;
        *found = &words->items[at];
    }
    return result;
}

static int64_t search_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

void page_words_search_begin(struct page_words_search *search)
{
    struct page_words *words = search->words;

    search->begun = search_clock();
    if (target_is_running(search->target) && search->begun > words->good_for) {
        while (words->count != 0)
            knowledge_forget(&words->items[--words->count]);
        free(words->items);
        *words = (struct page_words){0};
    }
    search->known_before = words->count;
}

void page_words_search_end(struct page_words_search *search)
{
    int64_t end = search_clock();

    if (search->words->count != search->known_before)
        search->words->good_for = end + SECOND + 10 * (end - search->begun);
    knowledge_forget(&search->small);
    free(search->counts);
}

void page_words_free(struct page_words *words)
{
    for (size_t i = 0; words != NULL && i < words->count; i++)
        knowledge_forget(&words->items[i]);
    if (words != NULL)
        free(words->items);
    free(words);
}
