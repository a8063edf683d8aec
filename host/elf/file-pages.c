/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pages that a core lacks, read from the mapped files.
 *
 * Only read-only parts of a file are certainly unchanged.  Others may have changed, although the
 * core lacks them because it was truncated or because of coredump_filter.
 */
#include <host/elf/elf.h>

#include <elf.h>
#include <host/files/files.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Find the offset of REGION in the file, if it can only have the file's contents. */
static bool find_offset(const struct module *module, const struct region *region, uint64_t *offset)
{
    uint64_t mapped = region->file->offset + (region->start - region->file->start);

    for (size_t i = 0; i < module->image.load_count; i++) {
        const struct load *load = &module->image.loads[i];
        uint64_t start = module->image.bias + load->address;

        if ((load->flags & PF_W) == 0 && region->start >= image_page_start(start) &&
            region->end <= image_page_end(start + load->file_size) &&
            region->start - image_page_start(start) + image_page_start(load->offset) == mapped) {
            *offset = mapped;
            return mapped == image_page_start(mapped);
        }
    }
    return false;
}

static ompd_host_rc_t map(ompd_host_target_t *target, int descriptor, uint64_t offset,
                          struct region *region)
{
    struct page_mapping *mapping = malloc(sizeof(*mapping));
    size_t size = region->end - region->start;
    void *bytes;

    if (mapping == NULL)
        return image_no_memory(target);
    bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, (off_t)offset);
    if (bytes == MAP_FAILED) {
        free(mapping);
        return ompd_host_rc_ok;
    }
    *mapping = (struct page_mapping){bytes, size, target->symbols->pages};
    target->symbols->pages = mapping;
    region->bytes = bytes;
    return ompd_host_rc_ok;
}

/* Fill regions of MODULE that the core lacks. */
static ompd_host_rc_t fill_module(ompd_host_target_t *target, const struct module *module,
                                  int descriptor)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;
    struct stat status;
    size_t at;

    if (fstat(descriptor, &status) != 0)
        return rc;
    at = (size_t)(region_find(target, module->start) - target->regions);
    for (; rc == ompd_host_rc_ok && at < target->region_count &&
           target->regions[at].start < module->end;
         at++) {
        struct region *region = &target->regions[at];
        uint64_t offset;

        /* Reading a mapping beyond the last page of the file raises SIGBUS. */
        if (region->bytes == NULL && region->file != NULL && region->is_readable &&
            find_offset(module, region, &offset) &&
            offset + (region->end - region->start) <= image_page_end((uint64_t)status.st_size))
            rc = map(target, descriptor, offset, region);
    }
    return rc;
}

ompd_host_rc_t file_pages_find(ompd_host_target_t *target)
{
    struct symbols *symbols;
    ompd_host_rc_t rc = symbols_get(target, &symbols);

    for (size_t i = 0; rc == ompd_host_rc_ok && i < symbols->count; i++) {
        const struct module *module = &symbols->modules[i];
        int descriptor = -1;

        if (module->file != NULL && module->image.build_id != NULL)
            descriptor = file_open(module->file);
        if (descriptor < 0)
            continue;
        rc = fill_module(target, module, descriptor);
        close(descriptor);
    }
    return rc;
}

void file_pages_free(ompd_host_target_t *target)
{
    struct symbols *symbols = target->symbols;

    while (symbols != NULL && symbols->pages != NULL) {
        struct page_mapping *mapping = symbols->pages;

        symbols->pages = mapping->next;
        munmap(mapping->bytes, mapping->size);
        free(mapping);
    }
}
