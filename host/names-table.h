/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The table that a library has for the dynamic linker (DT_GNU_HASH), which tells by a name's hash
 * where among the dynamic symbols it is.
 */
#ifndef OMPD_HOST_NAMES_TABLE_H
#define OMPD_HOST_NAMES_TABLE_H

#include <gelf.h>

#include <host/bytes.h>

struct names_table {
    struct bytes bytes; /* without `start`: there is none */
    uint32_t symbols;   /* of the library, */
    uint32_t first;     /* the first that the table tells of */
    uint32_t buckets;
    uint64_t buckets_at; /* offset in the bytes */
    uint64_t chains_at;
};

/* The table in ELF, when its COUNT symbols are the dynamic ones, as there are no others; else
 * none.  What it has is in ELF's memory. */
struct names_table names_table_of(Elf *elf, uint32_t count);

/* Of the symbols that may be called NAME the first behind number LAST, 0: the first of all; both
 * are numbers plus 1.  0: there is none. */
uint32_t names_table_next(const struct names_table *table, const char *name, uint32_t last);

#endif
