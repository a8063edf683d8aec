/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ELF files that an image has mapped, by their headers in its memory. */
#include "image.h"
#include "require.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define SEGMENT_LIMIT 64

/* Resolved once: a sweep queries them a million times. */
static const char *const symbol_names[IMAGE_SYMBOL_COUNT] = {
    "clIcdGetPlatformIDsKHR", "clGetExtensionFunctionAddress", "clGetPlatformIDs", "clInitLayer",
    "m_dispatchTable",
};

/* Store the build-id among the notes of SEGMENT. */
static void take_build_id(const struct sweep_image *image, struct image_module *module,
                          const Elf64_Phdr *segment)
{
    uint64_t at = module->start + segment->p_vaddr;
    uint64_t end = at + segment->p_filesz;
    uint64_t contents;
    Elf64_Nhdr note;

    while (at + sizeof(note) < end && sweep_image_read(image, at, sizeof(note), &note)) {
        contents = at + sizeof(note) + ((note.n_namesz + UINT64_C(3)) & ~UINT64_C(3));
        if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= sizeof(module->build_id) &&
            sweep_image_read(image, contents, note.n_descsz, module->build_id))
            module->build_id_size = note.n_descsz;
        at = contents + ((note.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
    }
}

/* Code that a core leaves out is memory all the same. */
static void add_code(struct sweep_image *image, const struct image_module *module,
                     const Elf64_Phdr *segment)
{
    uint64_t address = module->start + segment->p_vaddr;
    const struct image_region *found = sweep_image_region(image, address);
    struct image_region region = {
        .start = address & ~(PAGE - 1),
        .end = (address + segment->p_memsz + PAGE - 1) & ~(PAGE - 1),
        .offset = segment->p_offset & ~(PAGE - 1),
        .permissions =
            ompd_cl_permission_known | ompd_cl_permission_read | ompd_cl_permission_execute,
    };

    if (found != NULL && found->start <= address)
        return;
    region.file = strdup(module->file);
    sweep_image_add_region(image, &region);
    sweep_image_sort_regions(image);
}

static void take_segment(struct sweep_image *image, struct image_module *module,
                         const Elf64_Phdr *segment)
{
    uint64_t end = module->start + segment->p_vaddr + segment->p_memsz;

    if (segment->p_type == PT_NOTE)
        take_build_id(image, module, segment);
    if (segment->p_type != PT_LOAD)
        return;
    if (end > module->end)
        module->end = (end + PAGE - 1) & ~(PAGE - 1);
    if ((segment->p_flags & PF_X) != 0)
        add_code(image, module, segment);
}

static void take_symbols(struct image_module *module)
{
    for (unsigned i = 0; i < IMAGE_SYMBOL_COUNT; i++) {
        uint64_t value = sweep_image_symbol_value(module->file, symbol_names[i]);

        module->symbols[i] = value != 0 ? module->start + value : 0;
    }
}

/* Add FILE, whose first byte is at START, when it is a program or a library. */
static void add_module(struct sweep_image *image, const char *file, uint64_t start)
{
    struct image_module module = {.start = start};
    Elf64_Phdr segments[SEGMENT_LIMIT];
    Elf64_Ehdr header;

    if (!sweep_image_read(image, start, sizeof(header), &header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phnum > SEGMENT_LIMIT ||
        !sweep_image_read(image, start + header.e_phoff, header.e_phnum * sizeof(segments[0]),
                          segments))
        return;
    module.file = strdup(file);
    for (unsigned i = 0; i < header.e_phnum; i++)
        take_segment(image, &module, &segments[i]);
    image->modules = realloc(image->modules, (image->module_count + 1) * sizeof(module));
    sweep_require(module.file != NULL && image->modules != NULL, "no memory for the modules");
    take_symbols(&module);
    image->modules[image->module_count++] = module;
}

void sweep_image_find_modules(struct sweep_image *image)
{
    /* What is added on the way begins in no file. */
    for (size_t i = 0; i < image->region_count; i++) {
        const struct image_region *region = &image->regions[i];

        if (region->file != NULL && region->offset == 0)
            add_module(image, region->file, region->start);
    }
}

uint64_t sweep_image_module_symbol(const struct sweep_image *image, size_t index,
                                   const char *symbol)
{
    unsigned i = 0;

    while (i < IMAGE_SYMBOL_COUNT && strcmp(symbol_names[i], symbol) != 0)
        i++;
    sweep_require(i < IMAGE_SYMBOL_COUNT, "the library asks for another symbol of a module");
    return index < image->module_count ? image->modules[index].symbols[i] : 0;
}

void sweep_image_forget_modules(struct sweep_image *image)
{
    for (size_t i = 0; i < image->module_count; i++)
        free(image->modules[i].file);
    free(image->modules);
}
