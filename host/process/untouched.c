/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/process/process.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Cores ----------------------------------------------------------------------------------- */

/* Whether REGION is anonymous memory that the program could write to. */
static bool is_of_program(const struct region *region)
{
    return region->has_permissions && region->is_readable && region->is_writable &&
           region->file == NULL;
}

void untouched_find(struct region_list *list)
{
    bool has_others = false;

    for (size_t i = 0; i < list->count; i++)
        has_others = has_others || (is_of_program(&list->items[i]) && list->items[i].bytes != NULL);
    for (size_t i = 0; i < list->count; i++) {
        struct region *region = &list->items[i];

        region->is_untouched = has_others && region->is_left_out && is_of_program(region);
    }
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* From Documentation/admin-guide/mm/pagemap.rst of Linux: a page of MADV_GUARD_INSTALL, since
 * 6.15. */
#define PAGEMAP_GUARD (UINT64_C(1) << 58)

/* Whether the page at ADDRESS is known to be a guard page. */
static bool is_guard(const ompd_host_target_t *target, uint64_t address, uint64_t page)
{
    uint64_t entry = 0;
    char path[64];
    ssize_t count;
    int file;

    snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)target->pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    count = pread(file, &entry, sizeof(entry), (off_t)(address / page * sizeof(entry)));
    close(file);
    return count == (ssize_t)sizeof(entry) && (entry & PAGEMAP_GUARD) != 0;
}

static bool can_be_read(const ompd_host_target_t *target, uint64_t address)
{
    uint8_t byte;

    return pread(target->process.memory, &byte, sizeof(byte), (off_t)address) != -1;
}

/* Add RANGE to the sorted list. */
static void untouched_add(struct process *process, const struct region *range)
{
    struct region *ranges =
        array_grow(process->untouched, process->untouched_count, sizeof(*ranges));
    size_t place = process->untouched_count;

    if (ranges == NULL)
        return;
    process->untouched = ranges;
    for (; place > 0 && ranges[place - 1].start > range->start; place--)
        ranges[place] = ranges[place - 1];
    ranges[place] = *range;
    process->untouched_count++;
}

/* Add REGION to LIST, split at the recorded ranges. */
static bool add_parts(const struct process *process, struct region_list *list,
                      const struct region *region)
{
    struct region rest = *region;

    for (size_t i = 0; i < process->untouched_count && region->is_private; i++) {
        const struct region *range = &process->untouched[i];
        struct region part = rest;

        if (range->end <= rest.start || range->start >= rest.end)
            continue;
        if (range->start > rest.start) {
            part.end = range->start;
            if (!region_add(list, &part))
                return false;
            part.start = part.end;
        }
        part.end = range->end < rest.end ? range->end : rest.end;
        part.is_readable = range->is_readable;
        part.is_untouched = range->is_untouched;
        if (!region_add(list, &part))
            return false;
        rest.start = part.end;
    }
    return region_add(list, &rest);
}

bool untouched_apply(const ompd_host_target_t *target, struct region_list *list)
{
    struct region_list parts = {0};
    bool is_done = true;

    if (target->process.untouched_count == 0)
        return true;
    for (size_t i = 0; i < list->count && is_done; i++)
        is_done = add_parts(&target->process, &parts, &list->items[i]);
    free(is_done ? list->items : parts.items);
    if (is_done)
        *list = parts;
    return is_done;
}

void untouched_note(ompd_host_target_t *target, uint64_t address)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const struct region *region = region_find(target, address);
    struct region_list regions = {target->regions, target->region_count};
    struct region range;

    if (region == NULL || region->start > address || !region->is_private || region->is_untouched ||
        !region->is_readable || !region->is_writable)
        return;
    range = *region;
    range.start = address - address % page;
    range.end = range.start + page;
    range.is_readable = !is_guard(target, range.start, page);
    range.is_untouched = range.is_readable;
    while (range.end < region->end && !can_be_read(target, range.end) &&
           is_guard(target, range.end, page) != range.is_readable)
        range.end += page;
    untouched_add(&target->process, &range);
    if (untouched_apply(target, &regions)) {
        target->regions = regions.items;
        target->region_count = regions.count;
    }
}
