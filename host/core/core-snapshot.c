/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The note of a snapshot that lists the regions of the process's memory.  A core's segments are
 * only those that are saved, and debuggers would take the rest of a segment for zeros.
 *
 * The note contains 8-byte numbers in the target's byte order: first a hash of what searches depend
 * on; then the start, the end and the ompd_cl_permission_t of each region.
 */
#include <host/core/core.h>

#include <stdlib.h>

#define SNAPSHOT_ENTRY 24 /* size of a region in the note */

/* FNV-1a */
static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t core_snapshot_hash(void)
{
    uint64_t hash =
        add_to_hash(UINT64_C(0xcbf29ce484222325), PACKAGE_STRING, sizeof(PACKAGE_STRING));
    ompd_host_layout_t layout = {0};
    ompd_host_layouts_t *layouts;

    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok)
        return 0;
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        if (layout.text != NULL && layout.fault == NULL)
            hash = add_to_hash(hash, layout.text, layout.size);
    ompd_host_layouts_close(layouts);
    return hash;
}

static struct region region_of(struct bytes contents, uint64_t at, bool is_searched)
{
    uint64_t permissions = bytes_number(contents, at + 16, 8);

    return (struct region){
        .start = bytes_number(contents, at, 8),
        .end = bytes_number(contents, at + 8, 8),
        .has_permissions = (permissions & ompd_cl_permission_known) != 0,
        .is_readable = (permissions & ompd_cl_permission_read) != 0,
        .is_writable = (permissions & ompd_cl_permission_write) != 0,
        .is_executable = (permissions & ompd_cl_permission_execute) != 0,
        .is_untouched = (permissions & ompd_cl_permission_untouched) != 0,
        .is_unsearched = (permissions & ompd_cl_permission_unsearched) != 0,
        .is_searched = is_searched && (permissions & ompd_cl_permission_searched) != 0,
    };
}

bool core_snapshot_read(ompd_host_target_t *target, struct bytes contents)
{
    uint64_t hash = bytes_number(contents, 0, 8);
    bool is_searched = hash != 0 && hash == core_snapshot_hash();
    struct region_list list = {0};

    for (uint64_t at = 8; at + SNAPSHOT_ENTRY <= contents.size; at += SNAPSHOT_ENTRY) {
        struct region region = region_of(contents, at, is_searched);

        region.whole_start = region.start;
        region.whole_end = region.end;
        if (!region_add(&list, &region)) {
            free(list.items);
            return false;
        }
    }
    region_sort(&list);
    target->core.is_snapshot = true;
    target->core.snapshot_regions = list.items;
    target->core.snapshot_region_count = list.count;
    return true;
}

/* Record which region the saved REGION is a part of. */
static void region_set_whole(struct region *region, const struct region *whole)
{
    region->whole_start = whole->whole_start;
    region->whole_end = whole->whole_end;
    region->is_searched = whole->is_searched;
    region->has_permissions = whole->has_permissions;
    region->is_readable = whole->is_readable;
    region->is_writable = whole->is_writable;
    region->is_executable = whole->is_executable;
}

bool core_snapshot_put(const struct core *core, struct region_list *regions)
{
    size_t at = 0;

    for (size_t i = 0; i < regions->count; i++) {
        struct region *region = &regions->items[i];

        while (at < core->snapshot_region_count && core->snapshot_regions[at].end <= region->start)
            at++;
        if (at < core->snapshot_region_count && core->snapshot_regions[at].start <= region->start &&
            core->snapshot_regions[at].end >= region->end)
            region_set_whole(region, &core->snapshot_regions[at]);
    }
    return region_put_missing(regions, core->snapshot_regions, core->snapshot_region_count);
}
