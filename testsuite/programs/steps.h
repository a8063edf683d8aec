/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program calls of steps.c, where that is loaded: the functions are NULL where it is not. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>

/* Wait for the first number of steps; nothing is counted before. */
__attribute__((weak)) void steps_start(void);

/* Whether what this thread does counts. */
__attribute__((weak)) void steps_count(bool counts);

#endif
