/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lookup of symbols by name.  Libraries of compilers have tens of thousands of symbols.  Searching
 * them for a missing name would compare it with each, and reading all names once takes longer than
 * most answers.  If a library has only dynamic symbols, its own hash table is used.
 */
#include <host/elf/elf.h>

#include <stdlib.h>
#include <string.h>

/* The length of NAME without a version such as "@@GLIBC_2.2.5", which a library's own symbol
 * table appends. */
static size_t length_of(const char *name)
{
    const char *version = strstr(name, "@@");

    return version != NULL ? (size_t)(version - name) : strlen(name);
}

/* FNV-1a */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = UINT32_C(0x811c9dc5);

    for (size_t left = length_of(name); left != 0; left--, name++)
        hash = (hash ^ (uint8_t)*name) * UINT32_C(0x01000193);
    return hash;
}

static bool is_called(const char *symbol, const char *name)
{
    size_t length = strlen(name);

    return strncmp(symbol, name, length) == 0 && length_of(symbol) == length;
}

/* Whether a symbol has an address in memory. */
static bool has_address(const GElf_Sym *symbol, GElf_Word section)
{
    int type = GELF_ST_TYPE(symbol->st_info);

    return section != SHN_UNDEF && type != STT_TLS && type != STT_SECTION && type != STT_FILE;
}

/* The name of symbol number INDEX, if it has one and an address; otherwise NULL. */
static const char *symbol_name(const struct module *module, int index, GElf_Sym *symbol,
                               uint64_t *address)
{
    GElf_Addr value;
    GElf_Word section;
    Elf *elf = NULL;
    const char *name =
        dwfl_module_getsym_info(module->dwfl, index, symbol, &value, &section, &elf, NULL);

    if (name == NULL || !has_address(symbol, section) || !elf_text_ends(elf, name))
        return NULL;
    *address = value;
    return name;
}

/* Chains contain symbol numbers plus 1 in symbol order: the last symbol is added first. */
static bool make_chains(struct module *module, int count)
{
    struct names *names = &module->names;
    uint32_t size = 1;

    while (size < (uint32_t)count)
        size *= 2;
    names->first = calloc((size_t)size + (size_t)count, sizeof(*names->first));
    if (names->first == NULL)
        return false;
    names->next = names->first + size;
    names->mask = size - 1;
    for (int i = count - 1; i >= 0; i--) {
        GElf_Sym symbol;
        uint64_t address;
        const char *name = symbol_name(module, i, &symbol, &address);
        uint32_t *first;

        if (name == NULL)
            continue;
        first = &names->first[hash_of(name) & names->mask];
        names->next[i] = *first;
        *first = (uint32_t)i + 1;
    }
    return true;
}

/* The table of the module's file, if libdwfl got its COUNT symbols only from there. */
static struct names_table table_of(const struct module *module, int count)
{
    GElf_Addr bias;
    GElf_Sym symbol;
    GElf_Addr value;
    Elf *elf = NULL;
    Elf *file = module->dwfl != NULL ? dwfl_module_getelf(module->dwfl, &bias) : NULL;

    dwfl_module_getsym_info(module->dwfl, count - 1, &symbol, &value, NULL, &elf, NULL);
    return file != NULL && elf == file ? names_table_of(elf, (uint32_t)count)
                                       : (struct names_table){0};
}

/* Returns false if out of memory. */
static bool names_make(struct module *module)
{
    int count = dwfl_module_getsymtab(module->dwfl);

    if (count > 0)
        module->names.table = table_of(module, count);
    return module->names.table.bytes.start != NULL || make_chains(module, count > 0 ? count : 0);
}

/* Like names_table_next, with the table or the chains. */
static uint32_t names_next(const struct names *names, const char *name, uint32_t last)
{
    if (names->table.bytes.start != NULL)
        return names_table_next(&names->table, name, last);
    return last != 0 ? names->next[last - 1] : names->first[hash_of(name) & names->mask];
}

bool names_find(struct module *module, const char *name, bool is_local, uint64_t *address,
                bool *is_found)
{
    const struct names *names = &module->names;

    *is_found = false;
    if (names->first == NULL && names->table.bytes.start == NULL && !names_make(module))
        return false;
    for (uint32_t i = names_next(names, name, 0); i != 0; i = names_next(names, name, i)) {
        GElf_Sym symbol;
        uint64_t value;
        const char *found = symbol_name(module, (int)(i - 1), &symbol, &value);

        if (found == NULL || !is_called(found, name) ||
            (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) != is_local)
            continue;
        *address = value;
        *is_found = true;
        break;
    }
    return true;
}

void names_free(struct names *names)
{
    free(names->first);
    *names = (struct names){0};
}
