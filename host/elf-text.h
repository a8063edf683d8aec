/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Texts of ELF files, as libdwfl and libdw give them: these look whether one begins in a table, not
 * whether it ends there.  A file that is damaged, or made for it, has one that goes on beyond.
 */
#ifndef OMPD_HOST_ELF_TEXT_H
#define OMPD_HOST_ELF_TEXT_H

#include <libelf.h>
#include <stdbool.h>

/* Whether TEXT, of ELF, ends in it.  False, too: it is in memory of its own, such as a table that
 * was compressed, as no linker leaves one of symbols. */
bool elf_text_ends(Elf *elf, const char *text);

/* The same of TEXT in debug information, which may have been compressed. */
bool elf_debug_text_ends(Elf *elf, const char *text);

#endif
