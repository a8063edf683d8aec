/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Patterns of names, as users write them. */
#ifndef OMPD_COMMAND_PATTERN_H
#define OMPD_COMMAND_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the SIZE bytes at NAME are PATTERN, in which * stands for any bytes. */
bool command_pattern_fits(const char *pattern, const char *name, size_t size);

#endif
