/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process-cost.h"

#include "fuzz.h"

#include <fcntl.h>
#include <host/base/bound.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds of an input of some kilobytes; a sanitizer takes several times as long. */
#define MOST_SECONDS 4
#define MOST_DESCRIPTORS 64

static double seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Whether DESCRIPTOR is of libffi's own file, which libffi 3.5 leaves open after the first
 * trampoline. */
static bool is_of_trampolines(int descriptor)
{
    char link[64];
    char path[256];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof(path) - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return strstr(path, "/libffi.so") != NULL;
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;

    for (int i = 0; i < MOST_DESCRIPTORS; i++)
        count += fcntl(i, F_GETFD) >= 0 && !is_of_trampolines(i);
    return count;
}

void process_cost_begin(struct process_cost *before)
{
    before->descriptors = count_descriptors();
    getrusage(RUSAGE_SELF, &before->usage);
}

void process_cost_check(const struct process_cost *before, size_t present)
{
    struct rusage after;
    double time;
    uint64_t bytes;

    getrusage(RUSAGE_SELF, &after);
    time = seconds(&after) - seconds(&before->usage);
    bytes = (uint64_t)(after.ru_maxrss - before->usage.ru_maxrss) << 10;
    fuzz_require(time < MOST_SECONDS, "%.1f seconds for %zu bytes", time, present);
    fuzz_require(bytes <= bound_bytes(present), "%llu bytes of memory for %zu",
                 (unsigned long long)bytes, present);
    fuzz_require(count_descriptors() == before->descriptors, "a descriptor is left open");
}
