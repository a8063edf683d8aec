/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Invariants of the recorder's registry while nobody changes it. */
#ifndef RECORDER_INVARIANTS_H
#define RECORDER_INVARIANTS_H

#include <stdint.h>

/* The first thing that is wrong, as a sentence; NULL when all is well. */
const char *recorder_invariants_check(void);

/* Existing records of TABLE. */
uint32_t recorder_records_count(uint32_t table);

/* What all threads have counted of KIND, an index in their `usage`. */
int64_t recorder_usage_sum(uint32_t kind);

#endif
