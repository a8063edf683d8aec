/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/elf/elf.h>

#include <stdint.h>
#include <string.h>

/* Bytes of line programs, and of compressed data, that any file may have. */
#define LEAST ((uint64_t)1 << 20)

/* Compilers' debug information expands by a factor of two to four when it is decompressed.
 * Zeros expand by a thousand or more. */
#define FACTOR 8

/* GNU tools' format before SHF_COMPRESSED: sections with a name of their own, and a header of
 * four letters and the size in eight bytes, big-endian. */
#define OLD_PREFIX ".zdebug_"
#define OLD_HEADER 12

/* The decompressed size of SECTION, whose name is NAME; *IS_COMPRESSED: it is compressed. */
static uint64_t size_of(Elf_Scn *section, const char *name, bool *is_compressed)
{
    GElf_Shdr header;
    GElf_Chdr compressed;
    const Elf_Data *data;
    uint64_t size = 0;

    *is_compressed = false;
    if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
        return 0;
    if ((header.sh_flags & SHF_COMPRESSED) != 0) {
        *is_compressed = true;
        return gelf_getchdr(section, &compressed) != NULL ? compressed.ch_size : 0;
    }
    data = strncmp(name, OLD_PREFIX, strlen(OLD_PREFIX)) == 0 ? elf_rawdata(section, NULL) : NULL;
    if (data == NULL || data->d_size < OLD_HEADER || memcmp(data->d_buf, "ZLIB", 4) != 0)
        return header.sh_size;
    *is_compressed = true;
    for (unsigned i = 4; i < OLD_HEADER; i++)
        size = size << 8 | ((const uint8_t *)data->d_buf)[i];
    return size;
}

/* Whether SIZE exceeds FACTOR times IN_FILE, the size of the file, plus a constant. */
static bool is_more(uint64_t size, uint64_t in_file, uint64_t factor)
{
    return size > LEAST && (size - LEAST) / factor > in_file;
}

static bool is_exceeded(Elf *elf)
{
    uint64_t sum = 0;
    size_t strings;
    size_t in_file;

    if (elf_rawfile(elf, &in_file) == NULL || elf_getshdrstrndx(elf, &strings) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) != NULL
                               ? elf_strptr(elf, strings, header.sh_name)
                               : NULL;
        bool is_compressed;
        uint64_t size = size_of(section, name != NULL ? name : "", &is_compressed);

        if (!is_compressed)
            continue;
        sum = size > UINT64_MAX - sum ? UINT64_MAX : sum + size;
    }
    return is_more(sum, in_file, FACTOR);
}

bool debug_bound_is_exceeded(int descriptor)
{
    Elf *elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    bool result = elf != NULL && is_exceeded(elf);

    elf_end(elf);
    return result;
}

bool debug_bound_lines_are_exceeded(Elf *elf)
{
    size_t strings;
    size_t in_file;

    if (elf == NULL || elf_rawfile(elf, &in_file) == NULL || elf_getshdrstrndx(elf, &strings) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        const char *name;
        bool is_compressed;

        if (gelf_getshdr(section, &header) == NULL ||
            (name = elf_strptr(elf, strings, header.sh_name)) == NULL ||
            (strcmp(name, ".debug_line") != 0 && strcmp(name, ".zdebug_line") != 0))
            continue;
        return is_more(size_of(section, name, &is_compressed), in_file, 1);
    }
    return false;
}
