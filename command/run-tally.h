/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has happened once or often: one entry for all that is alike. */
#ifndef OMPD_COMMAND_RUN_TALLY_H
#define OMPD_COMMAND_RUN_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct run_tally_entry {
    char *key;  /* what is the same of all of them */
    char *told; /* of the first, what is written; the owner's, who need not set it: of the heap */
    void *row;  /* of the first, a copy of its info struct */
    uint64_t count;
};

/* Begin with {0}. */
struct run_tally {
    struct run_tally_entry **entries; /* in the order in which they came */
    size_t count;
    size_t capacity;
    uint64_t sum; /* of the entries' counts */
    void *root;   /* of the tree of entries */
};

/* Count what has KEY, and whose row is the SIZE bytes at ROW. */
struct run_tally_entry *run_tally_add(struct run_tally *tally, const char *key, const void *row,
                                      size_t size);

/* Give it back. */
void run_tally_free(struct run_tally *tally);

#endif
