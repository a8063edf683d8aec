/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See facts.h. */
#include <command/run/facts.h>

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

static int compare_keys(const void *left, const void *right)
{
    const struct run_tally_entry *a = left;
    const struct run_tally_entry *b = right;

    return strcmp(a->key, b->key);
}

/* Create the entry of KEY, and add it to the tree. */
static struct run_tally_entry *tally_entry_create(struct run_tally *tally, const char *key,
                                                  const void *row, size_t size)
{
    struct run_tally_entry *entry = heap_get(sizeof(*entry));

    entry->key = text_copy(key);
    entry->row = heap_get(size);
    memcpy(entry->row, row, size);
    if (tsearch(entry, &tally->root, compare_keys) == NULL)
        abort();
    tally->entries = heap_grow(tally->entries, tally->count, sizeof(struct run_tally_entry *));
    tally->entries[tally->count++] = entry;
    return entry;
}

struct run_tally_entry *run_tally_add(struct run_tally *tally, const char *key, const void *row,
                                      size_t size)
{
    struct run_tally_entry wanted = {.key = (char *)(uintptr_t)key};
    struct run_tally_entry **found = tfind(&wanted, &tally->root, compare_keys);
    struct run_tally_entry *entry =
        found != NULL ? *found : tally_entry_create(tally, key, row, size);

    entry->count++;
    tally->sum++;
    return entry;
}

void run_tally_free(struct run_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++) {
        struct run_tally_entry *entry = tally->entries[i];

        tdelete(entry, &tally->root, compare_keys);
        heap_free(entry->key);
        heap_free(entry->text);
        heap_free(entry->reason);
        heap_free(entry->row);
        heap_free(entry);
    }
    heap_free(tally->entries);
    *tally = (struct run_tally){.count = 0};
}
