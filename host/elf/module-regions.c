/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Properties of a core's memory that only the modules' headers have.
 *
 * GDB does not save code, nor its permissions.  The list of mapped files, if the core has it,
 * contains only the range.
 */
#include <host/elf/elf.h>

#include <elf.h>
#include <stdlib.h>

/* Whether the permissions of LOAD are those in its header.  The dynamic linker makes part of the
 * writable segment read-only. */
static bool is_certain(const struct load *load)
{
    return load->file_size != 0 && (load->flags & PF_W) == 0;
}

/* Add the loaded segments of IMAGE to LIST.  Returns false if out of memory. */
static bool add_image(struct region_list *list, const struct image *image)
{
    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];
        uint64_t start = image->bias + load->address;
        struct region region = {
            .start = image_page_start(start),
            .end = image_page_end(start + load->file_size),
            .has_permissions = true,
            .is_readable = (load->flags & PF_R) != 0,
            .is_executable = (load->flags & PF_X) != 0,
        };

        if (is_certain(load) && !region_add(list, &region))
            return false;
    }
    return true;
}

static bool add_images(struct region_list *list, const struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++) {
        if (!add_image(list, &symbols->modules[i].image))
            return false;
    }
    region_sort(list);
    return true;
}

/* Whether REGION is a gap between IMAGE's segments, which nobody may access. */
static bool is_gap(const struct region *region, const struct image *image)
{
    bool is_below = false;
    bool is_above = false;

    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];
        uint64_t start = image->bias + load->address;
        uint64_t end = image_page_end(start + load->memory_size);

        if (region->start < end && image_page_start(start) < region->end)
            return false;
        is_below |= region->end <= start;
        is_above |= region->start >= end;
    }
    return is_below && is_above;
}

/* Set the permissions of inaccessible REGIONS that modules map as gaps.  Both lists are sorted:
 * a module that ends below a region ends below those that follow. */
static void gap_permissions_set(struct region_list *regions, const struct symbols *symbols)
{
    size_t at = 0;

    for (size_t i = 0; i < regions->count; i++) {
        struct region *region = &regions->items[i];

        while (at < symbols->count && symbols->modules[at].end <= region->start)
            at++;
        if (at < symbols->count && !region->has_permissions)
            region->has_permissions = is_gap(region, &symbols->modules[at].image);
    }
}

/* Rebuild TARGET's regions from the core, then from the modules, then from the list of files.
 * Returns false if out of memory. */
static bool regions_rebuild(ompd_host_target_t *target, const struct symbols *symbols)
{
    struct region_list regions = {0};
    struct region_list loads = {0};
    bool is_done = add_images(&loads, symbols);

    for (size_t i = 0; is_done && i < target->region_count; i++) {
        if (target->regions[i].has_permissions)
            is_done = region_add(&regions, &target->regions[i]);
    }
    is_done = is_done && region_put_missing(&regions, loads.items, loads.count) &&
              region_put_files(&regions, target->core.files, target->core.file_count);
    free(loads.items);
    if (!is_done) {
        free(regions.items);
        return false;
    }
    gap_permissions_set(&regions, symbols);
    free(target->regions);
    target->regions = regions.items;
    target->region_count = regions.count;
    return true;
}

static void count_memory(ompd_host_target_t *target)
{
    for (size_t i = 0; i < target->region_count; i++) {
        const struct region *region = &target->regions[i];

        if (region->bytes != NULL)
            target->core.saved_bytes += region->end - region->start;
        else if (!region->has_permissions || region->is_readable || region->is_writable ||
                 region->is_executable)
            target->core.left_out_bytes += region->end - region->start;
    }
}

ompd_host_rc_t module_regions_find(ompd_host_target_t *target)
{
    struct symbols *symbols;
    ompd_host_rc_t rc = symbols_get(target, &symbols);

    if (rc != ompd_host_rc_ok)
        return rc;
    if (!regions_rebuild(target, symbols))
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    count_memory(target);
    return ompd_host_rc_ok;
}
