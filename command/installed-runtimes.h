/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtimes that are installed, as a loader finds them. */
#ifndef OMPD_COMMAND_INSTALLED_RUNTIMES_H
#define OMPD_COMMAND_INSTALLED_RUNTIMES_H

#include <stdbool.h>
#include <text/text.h>

struct command_runtime {
    char *name;    /* "pocl": of the .icd file; else the library */
    char *library; /* what the .icd file says: a path or a file name */
};

struct command_runtimes {
    struct command_runtime *all; /* by their names */
    size_t count;
};

/* Find those that OCL_ICD_VENDORS (a folder, an .icd file or a library) and OCL_ICD_FILENAMES
 * (libraries) name, without the former those of /etc/OpenCL/vendors. */
void command_runtimes_find(struct command_runtimes *runtimes);

/* Put in FOUND the one that WORD names: its name, its .icd file or its library, which need not be
 * installed.  False: there is none; WHY gets the sentence. */
bool command_runtimes_choose(const struct command_runtimes *runtimes, const char *word,
                             struct command_runtimes *found, struct text *why);

void command_runtimes_free(struct command_runtimes *runtimes);

#endif
