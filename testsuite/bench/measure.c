/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void measure_require(bool condition, const char *text)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
    exit(EXIT_FAILURE);
}

double measure_now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right)
{
    double one = *(const double *)left;
    double other = *(const double *)right;

    return (one > other) - (one < other);
}

double measure_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return values[count / 2];
}
