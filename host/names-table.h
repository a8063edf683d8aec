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
    struct bytes bytes; /* its `start` is NULL when there is no table */
    uint32_t symbols;   /* how many the library has */
    uint32_t first;     /* the first one that the table finds */
    uint32_t buckets;
    uint64_t buckets_at; /* offset in the bytes */
    uint64_t chains_at;
};

/* Returns the table of ELF, or one without bytes when ELF has none, has other symbols than its
 * COUNT dynamic ones, or has a table that does not fit them.  The bytes belong to ELF. */
struct names_table names_table_of(Elf *elf, uint32_t count);

/* Returns the next symbol after LAST that may be called NAME, or 0 when there is none.  Symbols are
 * counted from 1; a LAST of 0 begins the search. */
uint32_t names_table_next(const struct names_table *table, const char *name, uint32_t last);

#endif
