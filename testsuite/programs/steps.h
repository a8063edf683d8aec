/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of steps.c for programs.  They are NULL if it is not loaded. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>

/* Read the first number of steps; nothing is counted before. */
__attribute__((weak)) void steps_start(void);

/* Whether what this thread does counts. */
__attribute__((weak)) void steps_count(bool counts);

#endif
