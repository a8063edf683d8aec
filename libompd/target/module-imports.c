/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that a module imports, according to its dynamic symbol table. */
#include "target/target.h"

#include "target/elf-format.h"

#include <stddef.h>
#include <string.h>

/* No module has more entries for the dynamic linker, or more symbols (law 6). */
#define DYNAMIC_LIMIT 512
#define SYMBOL_LIMIT (UINT32_C(1) << 20)

/* The tables of a module. */
struct imports {
    struct target *target;
    const struct module *module;
    struct module_dynamic dynamic;
    uint64_t symbols; /* addresses; 0: none */
    uint64_t names;
    uint64_t names_size;
    uint64_t hash;
    uint64_t gnu_hash;
};

#define FIELD(imports, bytes, type, member)                                                        \
    ((imports)->dynamic.is_64                                                                      \
         ? target_integer((imports)->target, (bytes) + offsetof(Elf64_##type, member),             \
                          sizeof(((Elf64_##type *)0)->member))                                     \
         : target_integer((imports)->target, (bytes) + offsetof(Elf32_##type, member),             \
                          sizeof(((Elf32_##type *)0)->member)))

/* glibc's dynamic linker has put addresses in place of those as linked, others have not. */
static uint64_t dynamic_address(const struct imports *imports, uint64_t value)
{
    return value < imports->module->start ? value + imports->dynamic.bias : value;
}

static void read_dynamic_entry(struct imports *imports, uint64_t tag, uint64_t value)
{
    switch (tag) {
    case DT_SYMTAB:
        imports->symbols = dynamic_address(imports, value);
        break;
    case DT_STRTAB:
        imports->names = dynamic_address(imports, value);
        break;
    case DT_STRSZ:
        imports->names_size = value;
        break;
    case DT_HASH:
        imports->hash = dynamic_address(imports, value);
        break;
    case DT_GNU_HASH:
        imports->gnu_hash = dynamic_address(imports, value);
        break;
    default:
        break;
    }
}

static ompd_rc_t find_symbol_tables(struct imports *imports)
{
    uint64_t size = imports->dynamic.is_64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);

    for (uint64_t i = 0; i < DYNAMIC_LIMIT && (i + 1) * size <= imports->dynamic.size; i++) {
        const uint8_t *bytes;
        uint64_t tag;
        ompd_rc_t rc =
            target_view(imports->target, imports->dynamic.address + i * size, size, 0, &bytes);

        if (rc != ompd_rc_ok)
            return rc;
        tag = FIELD(imports, bytes, Dyn, d_tag);
        if (tag == DT_NULL)
            break;
        read_dynamic_entry(imports, tag, FIELD(imports, bytes, Dyn, d_val));
    }
    return imports->symbols != 0 && imports->names != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

/* The number of symbols that fit in front of the names, which linkers put behind them. */
static ompd_rc_t count_by_room(const struct imports *imports, uint64_t size, uint32_t *count)
{
    uint64_t room = imports->names - imports->symbols;

    if (imports->names <= imports->symbols || room / size > SYMBOL_LIMIT)
        return ompd_rc_unavailable;
    *count = (uint32_t)(room / size);
    return ompd_rc_ok;
}

/* The number of symbols up to the last that may be imported. The GNU hash table omits these, at the
 * front; the ABI's counts all. If a module exports nothing, the former is always 1. */
static ompd_rc_t count_symbols(const struct imports *imports, uint64_t size, uint32_t *count)
{
    uint64_t table = imports->gnu_hash != 0 ? imports->gnu_hash : imports->hash;
    const uint8_t *bytes;
    ompd_rc_t rc;

    if (table == 0)
        return ompd_rc_unavailable;
    rc = target_view(imports->target, table + 4, 4, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    *count = (uint32_t)target_integer(imports->target, bytes, 4);
    return *count <= 1 ? count_by_room(imports, size, count) : ompd_rc_ok;
}

/* Set *IS_ONE to whether the name at OFFSET among the names is one of COUNT in NAMES. */
static ompd_rc_t compare_name(const struct imports *imports, uint64_t offset,
                              const char *const *names, uint32_t count, bool *is_one)
{
    uint64_t size = MODULE_IMPORT_NAME;
    const uint8_t *bytes;
    ompd_rc_t rc;

    *is_one = false;
    if (offset >= imports->names_size)
        return ompd_rc_ok;
    if (size > imports->names_size - offset)
        size = imports->names_size - offset;
    rc = target_view(imports->target, imports->names + offset, size, 0, &bytes);
    for (uint32_t i = 0; rc == ompd_rc_ok && i < count && !*is_one; i++) {
        size_t length = strlen(names[i]) + 1;

        *is_one = length <= size && memcmp(bytes, names[i], length) == 0;
    }
    return rc;
}

ompd_rc_t module_imports_any(struct target *target, const struct module *module,
                             const char *const *names, uint32_t count, bool *has)
{
    struct imports imports = {.target = target, .module = module};
    uint32_t symbols = 0;
    ompd_rc_t rc = module_dynamic_find(target, module, &imports.dynamic);
    uint64_t size;

    *has = false;
    if (rc != ompd_rc_ok)
        return rc;
    size = imports.dynamic.is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    rc = find_symbol_tables(&imports);
    if (rc == ompd_rc_ok)
        rc = count_symbols(&imports, size, &symbols);
    if (rc == ompd_rc_ok && symbols > SYMBOL_LIMIT)
        rc = ompd_rc_unavailable;
    for (uint32_t i = 1; rc == ompd_rc_ok && i < symbols && !*has; i++) {
        const uint8_t *bytes;

        rc = target_view(target, imports.symbols + i * size, size, 0, &bytes);
        if (rc == ompd_rc_ok && FIELD(&imports, bytes, Sym, st_shndx) == SHN_UNDEF)
            rc = compare_name(&imports, FIELD(&imports, bytes, Sym, st_name), names, count, has);
    }
    return rc;
}
