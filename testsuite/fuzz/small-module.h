/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Files of the module of a small core, made by edits: sections that share bytes, repeated headers
 * and symbols, large counts, holes.  Without edits, a file has symbols, unwind tables, debug
 * information and a link to a debug file.
 */
#ifndef FUZZ_SMALL_MODULE_H
#define FUZZ_SMALL_MODULE_H

#include "edits.h"
#include "small-core.h"

/* In the code of the module: of a function, and of one inlined into it. */
#define SMALL_MODULE_CODE 0x10
#define SMALL_MODULE_INLINED 0x40

/* Symbols that only the file has, one of them local, and the line of SMALL_MODULE_CODE. */
#define SMALL_MODULE_SYMBOL "_Z4madei"
#define SMALL_MODULE_LOCAL "made_locally"
#define SMALL_MODULE_LINE 7

/* The files that are written. */
struct small_module_files {
    int module;
    int debug;      /* whose number is its name */
    bool is_apart;  /* the debug information is in `debug` alone */
    bool is_shared; /* it has a link to a missing file, as dwz makes one */
};

/* Write the module of SUBJECT with EDITS to FILES, replacing their contents. Returns the number of
 * bytes of both that are not holes. */
size_t small_module_write(const struct small_module_files *files,
                          const struct small_core_subject *subject, const struct edits *edits);

#endif
