/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dynamic sections, as the dynamic linker leaves them in a target's memory. */
#ifndef OMPD_HOST_DYNAMIC_H
#define OMPD_HOST_DYNAMIC_H

#include <host/bytes.h>
#include <host/image.h>

#define DYNAMIC_AT_MOST 65536 /* bytes of a dynamic section that are read */

/* What is of use here in a dynamic section; 0: not there. */
struct dynamic {
    uint64_t texts;   /* DT_STRTAB */
    uint64_t symbols; /* DT_SYMTAB */
    uint64_t name;    /* DT_SONAME: bytes into the texts */
    uint64_t debug;   /* DT_DEBUG: only a program has it, of a struct r_debug */
    uint64_t hash;    /* DT_GNU_HASH */
};

/* Read the dynamic section of SIZE bytes at ADDRESS of TARGET; all zeros when it cannot be, or
 * there is no memory for it. */
void dynamic_read(ompd_host_target_t *target, uint64_t address, uint64_t size,
                  struct dynamic *dynamic);

/* Tell whether the dynamic section that IMAGE has in TARGET's memory is the one that the file ELF,
 * which IMAGE was read from, has: its entries, with addresses that are the file's or the target's.
 * False too when there is no memory for it. */
bool dynamic_is_of_file(ompd_host_target_t *target, const struct image *image, Elf *elf);

/* Tell whether the symbols of IMAGE, of which FILE is a copy, can be counted in bounds.  elfutils
 * counts them by the last chain of DT_GNU_HASH, and takes a time that grows with the square of its
 * length: in memory that a core has not saved, or that is damaged, the chain does not end. */
bool dynamic_symbols_end(const struct image *image, struct bytes file);

#endif
