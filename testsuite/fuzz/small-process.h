/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A real process with the memory of a small target and its runtime. */
#ifndef FUZZ_SMALL_PROCESS_H
#define FUZZ_SMALL_PROCESS_H

#include "small-targets.h"

#include <sys/types.h>

/* Start a process of the program subject.c with the memory of SMALL. Its runtime's module is mapped
 * from a file; the rest is private memory. HAS_GAP: also map writable pages, one of which is
 * unreadable. Returns its number once everything is mapped. */
pid_t small_process_start(const struct small_target *small, bool has_gap);

/* The address of that page; without HAS_GAP nothing is mapped there. */
uint64_t small_process_gap(const struct small_target *small);

/* Kill it. */
void small_process_end(pid_t pid);

/* A folder of this process, which is deleted when the process ends. */
const char *small_process_folder(void);

#endif
