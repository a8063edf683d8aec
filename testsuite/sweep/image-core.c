/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core file as an image, mapped so that its memory can be mapped for the library. */
#include "image.h"
#include "require.h"

#include <elf.h>
#include <fcntl.h>
#include <ompd-opencl-registry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_segment(struct sweep_image *image, const uint8_t *core, const Elf64_Phdr *segment)
{
    struct image_region region = {
        .start = segment->p_vaddr,
        .permissions = ompd_cl_permission_known |
                       ((segment->p_flags & PF_R) != 0 ? ompd_cl_permission_read : 0) |
                       ((segment->p_flags & PF_W) != 0 ? ompd_cl_permission_write : 0) |
                       ((segment->p_flags & PF_X) != 0 ? ompd_cl_permission_execute : 0),
    };

    if (segment->p_filesz != 0) {
        region.end = region.start + segment->p_filesz;
        region.bytes = core + segment->p_offset;
        sweep_image_add_region(image, &region);
    }
    if (segment->p_memsz > segment->p_filesz) {
        region.start += segment->p_filesz;
        region.end = segment->p_vaddr + segment->p_memsz;
        region.bytes = NULL;
        sweep_image_add_region(image, &region);
    }
}

/* The note NT_FILE: how many, the page size, then start, end and page offset of each mapped range,
 * then their paths. */
static void add_files(struct sweep_image *image, const uint8_t *note)
{
    uint64_t count;
    uint64_t page_size;
    const uint8_t *range = note + 2 * sizeof(uint64_t);
    const char *path;

    memcpy(&count, note, sizeof(count));
    memcpy(&page_size, note + sizeof(count), sizeof(page_size));
    path = (const char *)range + count * 3 * sizeof(uint64_t);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t words[3];

        memcpy(words, range + i * sizeof(words), sizeof(words));
        for (size_t j = 0; j < image->region_count; j++) {
            struct image_region *region = &image->regions[j];
            if (region->start >= words[0] && region->end <= words[1]) {
                region->file = strdup(path);
                region->offset = words[2] * page_size + (region->start - words[0]);
            }
        }
        path += strlen(path) + 1;
    }
}

static void add_notes(struct sweep_image *image, const uint8_t *notes, uint64_t size)
{
    while (size > sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        uint64_t name_size;
        uint64_t total;

        memcpy(&note, notes, sizeof(note));
        name_size = (note.n_namesz + UINT64_C(3)) & ~UINT64_C(3);
        total = sizeof(note) + name_size + ((note.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
        if (note.n_type == NT_FILE)
            add_files(image, notes + sizeof(note) + name_size);
        notes += total;
        size = size > total ? size - total : 0;
    }
}

struct sweep_image *sweep_image_open_core(const char *path)
{
    struct sweep_image *image = calloc(1, sizeof(*image));
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const Elf64_Phdr *segments;
    const Elf64_Ehdr *header;
    const uint8_t *core;
    struct stat status;

    sweep_require(image != NULL && descriptor >= 0 && fstat(descriptor, &status) == 0,
                  "the core cannot be opened");
    core = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    sweep_require(core != MAP_FAILED, "the core cannot be mapped");
    close(descriptor);
    header = (const void *)core;
    segments = (const void *)(core + header->e_phoff);
    image->name = "core";
    image->memory = -1;
    image->core = core;
    image->core_size = (size_t)status.st_size;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD)
            add_segment(image, core, &segments[i]);
    }
    sweep_image_sort_regions(image);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_NOTE)
            add_notes(image, core + segments[i].p_offset, segments[i].p_filesz);
    }
    sweep_image_find_modules(image);
    image->registry =
        sweep_image_find_symbol(image, "libompd-opencl-recorder.so", OMPD_CL_REGISTRY_SYMBOL);
    return image;
}
