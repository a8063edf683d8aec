/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/elf/elf.h>

#include <string.h>

#define HEADER_SIZE 16 /* bytes: four numbers */

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;

    for (; *name != '\0'; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

/* Find the sections of ELF with its dynamic symbols and their hash table.  Returns false if
 * there are other symbols, or if one of the sections is missing. */
static bool find_sections(Elf *elf, GElf_Shdr *symbols, Elf_Scn **table)
{
    Elf_Scn *section = NULL;
    size_t index = 0;
    size_t of_symbols = 0;

    *table = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;

        if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_SYMTAB)
            return false;
        if (header.sh_type == SHT_DYNSYM && of_symbols == 0) {
            *symbols = header;
            of_symbols = elf_ndxscn(section);
        }
        if (header.sh_type == SHT_GNU_HASH && *table == NULL) {
            *table = section;
            index = header.sh_link;
        }
    }
    return *table != NULL && of_symbols != 0 && index == of_symbols && symbols->sh_entsize != 0;
}

struct names_table names_table_of(Elf *elf, uint32_t count)
{
    static const struct names_table none;
    struct names_table table = {.symbols = count};
    size_t word = gelf_getclass(elf) == ELFCLASS64 ? 8 : 4;
    const char *identity = elf_getident(elf, NULL);
    GElf_Shdr symbols;
    Elf_Scn *section;
    const Elf_Data *data;

    if (identity == NULL || !find_sections(elf, &symbols, &section) ||
        symbols.sh_size / symbols.sh_entsize != count)
        return none;
    data = elf_rawdata(section, NULL);
    if (data == NULL || data->d_buf == NULL)
        return none;
    table.bytes = (struct bytes){
        .start = data->d_buf,
        .size = data->d_size,
        .is_swapped =
            (identity[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
    };
    table.buckets = (uint32_t)bytes_number(table.bytes, 0, 4);
    table.first = (uint32_t)bytes_number(table.bytes, 4, 4);
    table.buckets_at = HEADER_SIZE + bytes_number(table.bytes, 8, 4) * word; /* after a filter */
    table.chains_at = table.buckets_at + UINT64_C(4) * table.buckets;
    /* Ignore a table that does not match its symbols. */
    if (table.buckets == 0 || table.first == 0 || table.first > count ||
        table.chains_at + UINT64_C(4) * (count - table.first) > table.bytes.size)
        return none;
    return table;
}

uint32_t names_table_next(const struct names_table *table, const char *name, uint32_t last)
{
    uint32_t hash = hash_of(name);
    uint32_t index = (uint32_t)bytes_number(
        table->bytes, table->buckets_at + UINT64_C(4) * (hash % table->buckets), 4);

    /* A chain is in symbol order; the lowest bit marks its last element. */
    for (; index >= table->first && index < table->symbols; index++) {
        uint32_t entry = (uint32_t)bytes_number(
            table->bytes, table->chains_at + UINT64_C(4) * (index - table->first), 4);

        if (index >= last && (entry | 1) == (hash | 1))
            return index + 1;
        if ((entry & 1) != 0)
            break;
    }
    return 0;
}
