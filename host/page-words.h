/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which pages of a process are there, by its files smaps and pagemap: what kernels have that cannot
 * search for pages, as Linux does since 6.7.
 */
#ifndef OMPD_HOST_PAGE_WORDS_H
#define OMPD_HOST_PAGE_WORDS_H

#include <host/ranges.h>
#include <host/region.h>

/* Mapped memory, about which much was asked. */
struct page_knowledge {
    struct range range;
    struct ranges present; /* its pages that are there, settled */
    struct ranges unknown; /* those of which it is not known, likewise */
};

/* What is known of a process; all zeros at first. */
struct page_words {
    struct page_knowledge *items; /* sorted */
    size_t count;
    uint64_t spent;   /* words of pagemap that were read for them */
    int64_t good_for; /* nanoseconds, of CLOCK_MONOTONIC: a process that runs may touch more */
};

/* What is asked of the process while its regions are listed. */
struct page_words_search {
    struct page_words *words;
    const struct region_list *mapped;
    const ompd_host_target_t *target;
    int file;      /* pagemap */
    uint64_t page; /* bytes */
    /* Of smaps, which is read once, when it is first needed: */
    struct page_counts *counts;
    size_t count_count;
    bool has_counts;
    struct page_knowledge small; /* the answer about a region that is not kept */
    int64_t begun;               /* as good_for */
    size_t known_before;         /* regions */
};

/* Begin to ask, when all above `counts` is set: what is known of a process that runs is forgotten
 * after a second, or ten times as long as it took to find it out. */
void page_words_search_begin(struct page_words_search *search);

/*
 * Find the pages of REGION, one of those in `mapped`.  *FOUND is good until the next call.  Returns
 * 1; 0 where the kernel does not tell; -1: there is no memory.
 */
int page_words_find(struct page_words_search *search, const struct region *region,
                    const struct page_knowledge **found);

/* Give back what SEARCH holds, but for what is known. */
void page_words_search_end(struct page_words_search *search);

/* Give back WORDS, which were made by calloc; NULL is ignored. */
void page_words_free(struct page_words *words);

#endif
