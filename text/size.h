/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes and counts as people write them. */
#ifndef OMPD_TEXT_SIZE_H
#define OMPD_TEXT_SIZE_H

#include <stdbool.h>
#include <stdint.h>
#include <text/text.h>

/* Add "512 B", "192 KiB", "1.2 GiB": exact when it divides evenly, else one decimal. */
void size_format(struct text *text, uint64_t bytes);

/* Add "512 B", "4096 B (4 KiB)", "5000 B (about 4.9 KiB)". */
void size_describe(struct text *text, uint64_t bytes);

/* The bytes of "4096", "64K", "1M", "2G"; false: WORD is no size, and *BYTES untouched. */
bool size_parse(const char *word, uint64_t *bytes);

/* Add "1 queue", "2 queues".  PLURAL NULL: SINGULAR and an "s". */
void count_add(struct text *text, uint64_t number, const char *singular, const char *plural);

#endif
