/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that are built beside the command: found there before where they are to be installed. */
#ifndef OMPD_COMMAND_SIBLING_FILE_H
#define OMPD_COMMAND_SIBLING_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Put the path of the file NAME, with which may be done what MODE (of access) says, in PATH, of
 * SIZE bytes.  False: it is not beside the command. */
bool command_sibling_file_find(const char *name, int mode, char *path, size_t size);

#endif
