/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A folder for the files that a runtime leaves where it works. */
#ifndef OMPD_COMMAND_PROBE_FOLDER_H
#define OMPD_COMMAND_PROBE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Where it is made: TMPDIR, or /tmp. */
const char *command_probe_folder_parent(void);

/* Make one, whose path goes to PATH; false: it cannot be made, which errno tells. */
bool command_probe_folder_make(char *path, size_t size);

/* Remove it with all that is in it. */
void command_probe_folder_remove(const char *path);

#endif
