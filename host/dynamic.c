/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See dynamic.h. */
#include <host/dynamic.h>

#include <elf.h>
#include <stdlib.h>

#include <host/bytes.h>

#define DYNAMIC_AT_MOST 65536 /* bytes */

/* The section of SIZE bytes at ADDRESS, or its first bytes where there are too many; without
 * `start` when it cannot be read.  Owned by the caller. */
static struct bytes read_section(ompd_host_target_t *target, uint64_t address, uint64_t size)
{
    size_t most = size < DYNAMIC_AT_MOST ? size : DYNAMIC_AT_MOST;
    uint8_t *bytes = malloc(most + 1);

    if (bytes != NULL && ompd_host_memory_read(target, address, most, bytes) != ompd_host_rc_ok) {
        free(bytes);
        bytes = NULL;
    }
    return (struct bytes){bytes, bytes != NULL ? most : 0, target->is_swapped};
}

static struct dynamic decode(struct bytes section, size_t word)
{
    struct dynamic dynamic = {0};

    for (size_t at = 0; at + 2 * word <= section.size; at += 2 * word) {
        uint64_t value = bytes_number(section, at + word, word);

        switch (bytes_number(section, at, word)) {
        case DT_NULL:
            return dynamic;
        case DT_STRTAB:
            dynamic.texts = value;
            break;
        case DT_SYMTAB:
            dynamic.symbols = value;
            break;
        case DT_SONAME:
            dynamic.name = value;
            break;
        case DT_DEBUG:
            dynamic.debug = value;
            break;
        default:
            break;
        }
    }
    return dynamic;
}

void dynamic_read(ompd_host_target_t *target, uint64_t address, uint64_t size,
                  struct dynamic *dynamic)
{
    struct bytes section = read_section(target, address, size);

    *dynamic = decode(section, target->pointer_size);
    free((void *)(uintptr_t)section.start);
}

/* Whether the entries of SECTION are those of FILE, which has COUNT, up to the end of both. */
static bool has_entries(struct bytes section, size_t word, Elf_Data *file, size_t count,
                        uint64_t bias)
{
    uint64_t mask = word == 4 ? UINT32_MAX : UINT64_MAX;

    for (size_t i = 0; i < count && (i + 1) * 2 * word <= section.size; i++) {
        uint64_t tag = bytes_number(section, i * 2 * word, word);
        uint64_t value = bytes_number(section, (i * 2 + 1) * word, word);
        GElf_Dyn entry;

        if (gelf_getdyn(file, (int)i, &entry) == NULL || ((uint64_t)entry.d_tag & mask) != tag)
            return false;
        if (tag == DT_NULL)
            return i != 0;
        if (tag != DT_DEBUG && value != entry.d_un.d_val &&
            value != ((entry.d_un.d_val + bias) & mask))
            return false;
    }
    return false;
}

/* The dynamic section of the file ELF; NULL: none. */
static Elf_Data *section_of_file(Elf *elf, size_t *count)
{
    size_t segments;
    GElf_Phdr segment;

    if (elf_getphdrnum(elf, &segments) != 0)
        return NULL;
    for (size_t i = 0; i < segments; i++) {
        if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_DYNAMIC)
            continue;
        *count = segment.p_filesz / gelf_fsize(elf, ELF_T_DYN, 1, EV_CURRENT);
        return elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_DYN);
    }
    return NULL;
}

bool dynamic_is_of_file(ompd_host_target_t *target, const struct image *image, Elf *elf)
{
    size_t count = 0;
    Elf_Data *file = section_of_file(elf, &count);
    struct bytes section;
    bool is_same;

    if (file == NULL)
        return false;
    section = read_section(target, image->bias + image->dynamic, image->dynamic_size);
    is_same = has_entries(section, target->pointer_size, file, count, image->bias);
    free((void *)(uintptr_t)section.start);
    return is_same;
}
