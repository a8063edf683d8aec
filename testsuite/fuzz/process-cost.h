/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much an input may cost this process when the host library, which uses its memory, reads it
 * (law 13). */
#ifndef FUZZ_PROCESS_COST_H
#define FUZZ_PROCESS_COST_H

#include <stddef.h>
#include <sys/resource.h>

/* The resources in use. */
struct process_cost {
    struct rusage usage;
    unsigned descriptors; /* that are open */
};

void process_cost_begin(struct process_cost *before);

/* Check that the use since BEFORE is no more than PRESENT bytes may cost, and that no descriptor
 * remains. */
void process_cost_check(const struct process_cost *before, size_t present);

#endif
