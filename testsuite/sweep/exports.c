/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "exports.h"

#include <ompd-opencl.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *map_file(const char *path)
{
    struct stat status;
    void *bytes;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 || fstat(file, &status) != 0)
        return NULL;
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static const ElfW(Shdr) * find_section(const char *file, unsigned type)
{
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);

    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type == type)
            return &sections[i];
    }
    return NULL;
}

static bool is_exported_function(const ElfW(Sym) * symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
}

unsigned sweep_exports_read(const char **names)
{
    const ElfW(Shdr) * section;
    const ElfW(Shdr) * texts;
    const ElfW(Sym) * symbols;
    const char *file;
    unsigned count = 0;
    Dl_info library;

    if (dladdr((void *)(uintptr_t)ompd_initialize, &library) == 0 ||
        (file = map_file(library.dli_fname)) == NULL ||
        (section = find_section(file, SHT_DYNSYM)) == NULL) {
        fprintf(stderr, "the library's file cannot be read\n");
        return 0;
    }
    symbols = (const void *)(file + section->sh_offset);
    texts = (const ElfW(Shdr) *)(const void *)(file +
                                               ((const ElfW(Ehdr) *)(const void *)file)->e_shoff) +
            section->sh_link;
    for (size_t i = 0; i < section->sh_size / sizeof(*symbols); i++) {
        if (is_exported_function(&symbols[i]) && count < SWEEP_EXPORT_LIMIT)
            names[count++] = file + texts->sh_offset + symbols[i].st_name;
    }
    return count;
}
