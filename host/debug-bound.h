/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the debug information of a file may cost: no more than a factor of the file's bytes. */
#ifndef OMPD_HOST_DEBUG_BOUND_H
#define OMPD_HOST_DEBUG_BOUND_H

#include <gelf.h>
#include <stdbool.h>

/* Whether the compressed sections of the file at DESCRIPTOR come to so much that it is not to be
 * given to libdw, which uncompresses all of them.  False of what is no ELF file. */
bool debug_bound_is_exceeded(int descriptor);

/* Whether the line programs of ELF, which may be compressed, are larger than those of any compiler.
 */
bool debug_bound_lines_are_exceeded(Elf *elf);

#endif
