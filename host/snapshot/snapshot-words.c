/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Words in the program's memory that are handles: only they show what holds an object. */
#include <host/snapshot/snapshot.h>

#include <stdlib.h>
#include <string.h>

#define WINDOW (1024 * 1024) /* bytes to read at once */
#define PAGE 4096

static void sort_handles(struct snapshot *snapshot)
{
    size_t kept = 0;

    array_sort(snapshot->handles, snapshot->handle_count, sizeof(snapshot->handles[0]));
    for (size_t i = 0; i < snapshot->handle_count; i++)
        if (kept == 0 || snapshot->handles[kept - 1] != snapshot->handles[i])
            snapshot->handles[kept++] = snapshot->handles[i];
    snapshot->handle_count = kept;
}

/* Check the words of the SIZE BYTES at ADDRESS. */
static void search_bytes(struct snapshot *snapshot, uint64_t address, const uint8_t *bytes,
                         size_t size)
{
    struct bytes view = {bytes, size, snapshot->target->is_swapped};
    size_t word = snapshot->target->pointer_size;
    uint64_t least = snapshot->handles[0];
    uint64_t span = snapshot->handles[snapshot->handle_count - 1] - least;

    for (size_t at = (size_t)(-address % word); at + word <= size; at += word) {
        uint64_t value = bytes_number(view, at, word);

        if (value - least <= span && bsearch(&value, snapshot->handles, snapshot->handle_count,
                                             sizeof(value), array_compare) != NULL)
            ranges_add(&snapshot->words, address + at, word);
    }
}

/* Read the readable part of a region, page by page after a failure. */
static void search_region(struct snapshot *snapshot, uint64_t start, uint64_t end, uint8_t *buffer)
{
    ompd_host_target_t *target = snapshot->target;
    uint64_t step = WINDOW;

    while (start < end) {
        uint64_t size = end - start < step ? end - start : step;

        if (ompd_host_memory_read(target, start, size, buffer) == ompd_host_rc_ok) {
            search_bytes(snapshot, start, buffer, size);
            step = WINDOW;
        } else if (size > PAGE) {
            step = PAGE;
            continue;
        }
        start += size;
    }
}

ompd_host_rc_t snapshot_find_words(struct snapshot *snapshot)
{
    ompd_host_target_t *target = snapshot->target;
    uint8_t *buffer = malloc(WINDOW);

    sort_handles(snapshot);
    if (buffer == NULL)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    for (size_t i = 0; snapshot->handle_count != 0 && i < target->region_count; i++) {
        const struct region region = target->regions[i];

        if (region.is_readable && region.is_writable && !region.is_untouched && !region.is_zero &&
            !region.is_unsearched && (!target_is_core(target) || region.bytes != NULL))
            search_region(snapshot, region.start, region.end, buffer);
    }
    free(buffer);
    return ompd_host_rc_ok;
}
