/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs and recorders of 32 and of 64 bits: a program loads only what is as it is. */
#ifndef OMPD_COMMAND_WORD_SIZE_H
#define OMPD_COMMAND_WORD_SIZE_H

#include <stdbool.h>
#include <text/text.h>

/* The bits of the ELF file PATH; 0: it is none. */
unsigned command_word_size_of_file(const char *path);

/* The bits of the program that NAME runs, looked for as the shell does; 0: it is no ELF file, such
 * as a script. */
unsigned command_word_size_of_program(const char *name);

/* Whether the recorders among LAYERS, separated by colons, are all of other words than BITS.  Then
 * WHY gets "is of 32 bits, and the recorder PATH is not".  What is no file here may be as it
 * should. */
bool command_word_size_differs(const char *layers, unsigned bits, struct text *why);

#endif
