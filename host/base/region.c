/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The regions of a target's memory. */
#include <host/base/base.h>

#include <stdlib.h>

bool region_add(struct region_list *list, const struct region *region)
{
    struct region *items;

    if (region->start >= region->end)
        return true;
    items = array_grow(list->items, list->count, sizeof(*items));
    if (items == NULL)
        return false;
    list->items = items;
    items[list->count++] = *region;
    return true;
}

void region_sort(struct region_list *list)
{
    uint64_t end = 0;
    size_t kept = 0;

    array_sort(list->items, list->count, sizeof(*list->items));
    for (size_t i = 0; i < list->count; i++) {
        struct region region = list->items[i];

        if (region.end <= end)
            continue;
        if (region.start < end) {
            if (region.bytes != NULL)
                region.bytes += end - region.start;
            region.start = end;
        }
        end = region.end;
        list->items[kept++] = region;
    }
    list->count = kept;
}

/* Add [START, END) of WHOLE, which maps FILE there. */
static bool region_part_add(struct region_list *list, const struct region *whole, uint64_t start,
                            uint64_t end, const struct file_mapping *file)
{
    struct region part = *whole;

    if (part.bytes != NULL)
        part.bytes += start - part.start;
    part.start = start;
    part.end = end;
    part.file = file;
    return region_add(list, &part);
}

/* Add WHOLE, split at the borders of FILES.  File number FIRST is the first that ends above its
 * start. */
static bool region_split_add(struct region_list *list, const struct region *whole,
                             const struct file_mapping *files, size_t first, size_t count)
{
    uint64_t at = whole->start;

    for (size_t i = first; i < count && files[i].start < whole->end; i++) {
        uint64_t start = files[i].start > at ? files[i].start : at;
        uint64_t end = files[i].end < whole->end ? files[i].end : whole->end;

        if (start >= end)
            continue;
        if (!region_part_add(list, whole, at, start, NULL) ||
            !region_part_add(list, whole, start, end, &files[i]))
            return false;
        at = end;
    }
    return region_part_add(list, whole, at, whole->end, NULL);
}

/* Add the parts of WHOLE that are in none of COUNT sorted REGIONS.  Region number FIRST is the
 * first that ends above its start. */
static bool region_gaps_add(struct region_list *list, const struct region *whole,
                            const struct region *regions, size_t first, size_t count)
{
    uint64_t at = whole->start;

    for (size_t i = first; i < count && regions[i].start < whole->end; i++) {
        if (at < regions[i].start &&
            !region_part_add(list, whole, at, regions[i].start, whole->file))
            return false;
        if (at < regions[i].end)
            at = regions[i].end;
    }
    return at >= whole->end || region_part_add(list, whole, at, whole->end, whole->file);
}

bool region_put_missing(struct region_list *list, const struct region *regions, size_t count)
{
    struct region_list gaps = {0};
    bool is_done = true;
    size_t j = 0;

    for (size_t i = 0; i < count && is_done; i++) {
        while (j < list->count && list->items[j].end <= regions[i].start)
            j++;
        is_done = region_gaps_add(&gaps, &regions[i], list->items, j, list->count);
    }
    for (size_t i = 0; i < gaps.count && is_done; i++)
        is_done = region_add(list, &gaps.items[i]);
    free(gaps.items);
    region_sort(list);
    return is_done;
}

/* Split the regions of LIST at the borders of FILES. */
static bool regions_split(struct region_list *list, const struct file_mapping *files, size_t count)
{
    struct region_list parts = {0};
    bool is_done = true;
    size_t j = 0;

    for (size_t i = 0; i < list->count && is_done; i++) {
        while (j < count && files[j].end <= list->items[i].start)
            j++;
        is_done = region_split_add(&parts, &list->items[i], files, j, count);
    }
    if (!is_done) {
        free(parts.items);
        return false;
    }
    free(list->items);
    *list = parts;
    return true;
}

bool region_put_files(struct region_list *list, const struct file_mapping *files, size_t count)
{
    struct region_list whole = {0};
    bool is_done = regions_split(list, files, count);

    for (size_t i = 0; i < count && is_done; i++)
        is_done = region_add(
            &whole,
            &(struct region){.start = files[i].start, .end = files[i].end, .file = &files[i]});
    is_done = is_done && region_put_missing(list, whole.items, whole.count);
    free(whole.items);
    return is_done;
}

const struct region *region_find(const ompd_host_target_t *target, uint64_t address)
{
    size_t count = target->region_count;
    size_t first = array_find(target->regions, count, sizeof(*target->regions), address);

    return first < count ? &target->regions[first] : NULL;
}

uint32_t region_permissions(const struct region *region)
{
    uint32_t permissions = ompd_cl_permission_known;

    if (!region->has_permissions)
        return 0;
    if (region->is_readable)
        permissions |= ompd_cl_permission_read;
    if (region->is_writable)
        permissions |= ompd_cl_permission_write;
    if (region->is_executable)
        permissions |= ompd_cl_permission_execute;
    if (region->is_untouched)
        permissions |= ompd_cl_permission_untouched;
    if (region->is_zero)
        permissions |= ompd_cl_permission_zero;
    if (region->is_unsearched)
        permissions |= ompd_cl_permission_unsearched;
    if (region->is_searched)
        permissions |= ompd_cl_permission_searched;
    return permissions;
}
