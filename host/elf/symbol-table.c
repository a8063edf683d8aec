/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/elf/elf.h>

#include <stdbool.h>
#include <stdlib.h>

/* Number of lookups by libdwfl before the table is created. */
#define FEW 16

/* Symbols before an address to check, which may begin within one another. */
#define NESTED_AT_MOST 256

/* ---- Creation -------------------------------------------------------------------------------- */

static int rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 2;
    case STB_WEAK:
        return 1;
    default:
        return 0;
    }
}

/* Whether SYMBOL, in SECTION, names something in memory. */
static bool symbol_has_place(const GElf_Sym *symbol, GElf_Word section)
{
    int type = GELF_ST_TYPE(symbol->st_info);

    return section != SHN_UNDEF && section != SHN_ABS && type != STT_SECTION && type != STT_FILE &&
           type != STT_TLS;
}

static int entries_compare(const void *first, const void *second)
{
    const struct symbol_entry *one = first;
    const struct symbol_entry *other = second;

    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->rank != other->rank)
        return one->rank - other->rank;
    return other->index - one->index;
}

static void table_make(struct symbol_table *table, Dwfl_Module *module)
{
    int count = dwfl_module_getsymtab(module);
    uint64_t highest = 0;

    table->entries = count > 0 ? calloc((size_t)count, sizeof(*table->entries)) : NULL;
    for (int i = 0; table->entries != NULL && i < count; i++) {
        GElf_Word section;
        GElf_Addr address;
        GElf_Sym symbol;
        const char *name =
            dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);

        if (name == NULL || name[0] == '\0' || !symbol_has_place(&symbol, section) ||
            symbol.st_size > UINT64_MAX - address)
            continue;
        table->entries[table->count++] = (struct symbol_entry){
            .start = address,
            .end = address + symbol.st_size,
            .index = i,
            .rank = rank_of(&symbol),
        };
    }
    if (table->count != 0)
        qsort(table->entries, table->count, sizeof(*table->entries), entries_compare);
    for (size_t i = 0; i < table->count; i++) {
        if (table->entries[i].end > highest)
            highest = table->entries[i].end;
        table->entries[i].highest = highest;
    }
}

/* ---- Lookup ---------------------------------------------------------------------------------- */

/* The number of entries that begin at or before ADDRESS. */
static size_t count_before(const struct symbol_table *table, uint64_t address)
{
    size_t first = 0;
    size_t last = table->count;

    while (first < last) {
        size_t middle = first + (last - first) / 2;

        if (table->entries[middle].start <= address)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Whether ENTRY's label and ADDRESS are in the same section of the module. */
static bool is_of_section(Dwfl_Module *module, const struct symbol_entry *entry, uint64_t address)
{
    GElf_Word section;
    GElf_Addr bias;
    GElf_Addr start;
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf *elf = NULL;

    return dwfl_module_getsym_info(module, entry->index, &symbol, &start, &section, &elf, &bias) !=
               NULL &&
           gelf_getshdr(elf_getscn(elf, section), &header) != NULL &&
           address >= header.sh_addr + bias && address - (header.sh_addr + bias) < header.sh_size;
}

/* The innermost symbol that contains ADDRESS; otherwise the label before it, if nothing ends
 * between them.  NULL: none. */
static const struct symbol_entry *entry_find(const struct symbol_table *table, Dwfl_Module *module,
                                             uint64_t address)
{
    size_t count = count_before(table, address);
    const struct symbol_entry *label = NULL;
    uint64_t highest = count != 0 ? table->entries[count - 1].highest : 0;

    for (size_t i = count; i > 0 && count - i < NESTED_AT_MOST; i--) {
        const struct symbol_entry *entry = &table->entries[i - 1];

        if (address < entry->end)
            return entry;
        if (label == NULL && entry->end == entry->start)
            label = entry;
        if (entry->highest <= address)
            break;
    }
    return label != NULL && label->start >= highest && is_of_section(module, label, address) ? label
                                                                                             : NULL;
}

const char *symbol_table_find(struct symbol_table *table, Dwfl_Module *module, uint64_t address,
                              uint64_t *offset, Elf **elf)
{
    const struct symbol_entry *entry;
    GElf_Addr start;
    GElf_Sym symbol;

    if (table->lookups++ < FEW)
        return dwfl_module_addrinfo(module, address, offset, &symbol, NULL, elf, NULL);
    if (table->lookups == FEW + 1)
        table_make(table, module);
    entry = entry_find(table, module, address);
    if (entry == NULL)
        return NULL;
    *offset = address - entry->start;
    return dwfl_module_getsym_info(module, entry->index, &symbol, &start, NULL, elf, NULL);
}
