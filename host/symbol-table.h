/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The symbols of a module by their addresses. */
#ifndef OMPD_HOST_SYMBOL_TABLE_H
#define OMPD_HOST_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>

struct symbol_entry {
    uint64_t start; /* addresses [start, end); END is START of a label, which has no size */
    uint64_t end;
    uint64_t highest; /* the largest `end` up to this one */
    int index;        /* of libdwfl */
    int rank;         /* of those that begin alike, the last is taken: global before weak, local */
};

/* Made when a module has been asked for several: for few, libdwfl, which goes through all symbols
 * each time, is faster. */
struct symbol_table {
    struct symbol_entry *entries; /* sorted by start and rank; owned (free) */
    size_t count;
    unsigned lookups; /* so far */
};

/* The name of the symbol of MODULE that ADDRESS is in, in *ELF and *OFFSET into it; NULL: in none.
 * TABLE is that of the module, 0 at first.  It may be that the name does not end. */
const char *symbol_table_find(struct symbol_table *table, Dwfl_Module *module, uint64_t address,
                              uint64_t *offset, Elf **elf);

#endif
