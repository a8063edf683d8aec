/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Debug information (DWARF 4) and unwind tables of the module of a small core. */
#ifndef FUZZ_SMALL_DEBUG_H
#define FUZZ_SMALL_DEBUG_H

#include <stddef.h>
#include <stdint.h>

/* Write the contents of a section to BYTES, of 512 bytes; each returns its size. */
size_t small_debug_put_abbreviations(uint8_t *bytes);
size_t small_debug_put_entries(uint8_t *bytes);
size_t small_debug_put_lines(uint8_t *bytes);

/* The same for .eh_frame at ADDRESS, of 128 bytes at most. */
size_t small_debug_put_unwinding(uint8_t *bytes, uint64_t address);

#endif
