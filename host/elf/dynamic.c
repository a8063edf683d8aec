/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See elf.h. */
#include <host/elf/elf.h>

#include <elf.h>
#include <stdlib.h>

/* Limits of a hash table of symbols. */
#define BUCKETS_AT_MOST (1U << 20)
#define CHAIN_AT_MOST 4096 /* symbols; linkers create tables with few per chain */

/* The section of SIZE bytes at ADDRESS, or its first bytes if it is too large.  `start` is NULL
 * if it cannot be read.  Owned by the caller. */
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
        case DT_GNU_HASH:
            dynamic.hash = value;
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

/* The dynamic section of the file ELF, or NULL. */
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

/* The offset in IMAGE's file of ADDRESS, which is either the file's or relocated by the dynamic
 * linker; UINT64_MAX: none. */
static uint64_t offset_of(const struct image *image, uint64_t address)
{
    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];

        if (address - load->address < load->file_size)
            return load->offset + (address - load->address);
        if (address - image->bias - load->address < load->file_size)
            return load->offset + (address - image->bias - load->address);
    }
    return UINT64_MAX;
}

bool dynamic_symbols_end(const struct image *image, struct bytes file)
{
    size_t word = image->is_64 ? 8 : 4;
    struct bytes section =
        bytes_cut(file, offset_of(image, image->dynamic),
                  image->dynamic_size < DYNAMIC_AT_MOST ? image->dynamic_size : DYNAMIC_AT_MOST);
    struct dynamic dynamic = decode(section, word);
    struct bytes table = bytes_cut(file, offset_of(image, dynamic.hash), UINT64_MAX);
    uint64_t buckets = bytes_number(table, 0, 4);
    uint64_t first = bytes_number(table, 4, 4);
    uint64_t at = 16 + bytes_number(table, 8, 4) * word; /* after the header and the filter */
    uint64_t last = 0;

    if (dynamic.hash == 0)
        return true;
    if (buckets > BUCKETS_AT_MOST)
        return false;
    for (uint64_t i = 0; i < buckets; i++) {
        uint64_t symbol = bytes_number(table, at + 4 * i, 4);

        if (symbol > last)
            last = symbol;
    }
    if (last < first)
        return true;
    at += 4 * buckets + 4 * (last - first);
    for (unsigned i = 0; i < CHAIN_AT_MOST; i++, at += 4)
        if ((bytes_number(table, at, 4) & 1) != 0)
            return true;
    return false;
}
