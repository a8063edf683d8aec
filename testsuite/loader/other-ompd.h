/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that exports OMPD's target-side names, as an OpenMP runtime does. */
#ifndef OTHER_OMPD_H
#define OTHER_OMPD_H

#include <stdbool.h>

const char **other_ompd_locations(void);

/* Run FUNCTION in the calling thread as one of this runtime's threads. */
void other_ompd_thread_run(void (*function)(void));

/* Report that nothing here was called or changed. */
bool other_ompd_is_untouched(void);

#endif
