/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time and memory measurement for the C benchmarks. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* End the program with TEXT unless CONDITION holds: what does not do its work is no measure. */
void measure_require(bool condition, const char *text);

/* Seconds that CLOCK shows. */
double measure_now(clockid_t clock);

/* The middle one of COUNT values, which are sorted. */
double measure_median(double *values, size_t count);

#endif
