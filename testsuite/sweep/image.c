/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The mappings of an image, and the symbols of its mapped files. */
#include "image.h"

#include "require.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void sweep_image_add_region(struct sweep_image *image, const struct image_region *region)
{
    size_t count = image->region_count + 1;

    image->regions = realloc(image->regions, count * sizeof(*region));
    sweep_require(image->regions != NULL, "no memory for the target's regions");
    image->regions[image->region_count] = *region;
    image->region_count = count;
}

static int compare_regions(const void *left, const void *right)
{
    const struct image_region *one = left;
    const struct image_region *other = right;

    return (one->start > other->start) - (one->start < other->start);
}

void sweep_image_sort_regions(struct sweep_image *image)
{
    qsort(image->regions, image->region_count, sizeof(*image->regions), compare_regions);
}

void sweep_image_forget_regions(struct sweep_image *image)
{
    for (size_t i = 0; i < image->region_count; i++)
        free(image->regions[i].file);
    free(image->regions);
    image->regions = NULL;
    image->region_count = 0;
}

void sweep_image_close(struct sweep_image *image)
{
    int status;

    if (image->core != NULL) {
        munmap((void *)(uintptr_t)image->core, image->core_size);
    } else {
        kill(image->pid, SIGKILL);
        /* Its main thread is destroyed last. */
        while (waitpid(-1, &status, __WALL) != image->pid || WIFSTOPPED(status))
            ;
        close(image->memory);
    }
    sweep_image_forget_modules(image);
    sweep_image_forget_regions(image);
    free(image);
}

/* The value of SYMBOL in the symbol table SECTION of the ELF file at FILE; 0 for none. */
static uint64_t find_in_section(const uint8_t *file, const Elf64_Shdr *sections,
                                const Elf64_Shdr *section, const char *symbol)
{
    const char *names = (const char *)file + sections[section->sh_link].sh_offset;
    const Elf64_Sym *symbols = (const void *)(file + section->sh_offset);

    for (size_t i = 0; i < section->sh_size / sizeof(*symbols); i++) {
        if (symbols[i].st_shndx != SHN_UNDEF && strcmp(names + symbols[i].st_name, symbol) == 0)
            return symbols[i].st_value;
    }
    return 0;
}

uint64_t sweep_image_symbol_value(const char *path, const char *symbol)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const Elf64_Shdr *sections;
    const Elf64_Ehdr *header;
    const uint8_t *file;
    uint64_t value = 0;
    struct stat status;

    sweep_require(descriptor >= 0 && fstat(descriptor, &status) == 0,
                  "a file that the target has mapped cannot be opened");
    file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    sweep_require(file != MAP_FAILED, "a file that the target has mapped cannot be mapped");
    header = (const void *)file;
    sections = (const void *)(file + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum && value == 0; i++) {
        if (sections[i].sh_type == SHT_DYNSYM || sections[i].sh_type == SHT_SYMTAB)
            value = find_in_section(file, sections, &sections[i], symbol);
    }
    munmap((void *)(uintptr_t)file, (size_t)status.st_size);
    close(descriptor);
    return value;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path);
    size_t end_length = strlen(end);

    return length >= end_length && strcmp(path + length - end_length, end) == 0;
}

uint64_t sweep_image_find_symbol(const struct sweep_image *image, const char *file,
                                 const char *symbol)
{
    uint64_t value = 0;

    for (size_t i = 0; i < image->region_count; i++) {
        const struct image_region *region = &image->regions[i];

        if (region->file == NULL || region->offset != 0 || !ends_in(region->file, file))
            continue;
        value = sweep_image_symbol_value(region->file, symbol);
        sweep_require(value != 0, "a file that the target has mapped lacks a symbol");
        return region->start + value;
    }
    sweep_require(false, "the target has not mapped what is looked for");
    return 0;
}

const struct image_region *sweep_image_region(const struct sweep_image *image, uint64_t address)
{
    size_t first = 0;
    size_t end = image->region_count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (image->regions[middle].end > address)
            end = middle;
        else
            first = middle + 1;
    }
    return first < image->region_count ? &image->regions[first] : NULL;
}

bool sweep_image_read(const struct sweep_image *image, uint64_t address, uint64_t size, void *bytes)
{
    uint8_t *to = bytes;

    if (image->memory >= 0)
        return pread(image->memory, bytes, size, (off_t)address) == (ssize_t)size;
    while (size != 0) {
        const struct image_region *region = sweep_image_region(image, address);
        uint64_t part;

        if (region == NULL || region->bytes == NULL || address < region->start)
            return false;
        part = region->end - address < size ? region->end - address : size;
        memcpy(to, region->bytes + (address - region->start), part);
        to += part;
        address += part;
        size -= part;
    }
    return true;
}
