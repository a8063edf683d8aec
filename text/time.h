/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times as people write them. */
#ifndef OMPD_TEXT_TIME_H
#define OMPD_TEXT_TIME_H

#include <stdint.h>
#include <text/text.h>

/* Add "2026-11-22 23:44:07.512", in UTC: so many milliseconds after the beginning of 1970. */
void time_format(struct text *text, uint64_t milliseconds);

/* Add "0.153": so many milliseconds as seconds. */
void duration_format(struct text *text, uint64_t milliseconds);

#endif
