/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The system calls that a confined process has left. */
#ifndef OMPD_HOST_CONFINE_FILTER_H
#define OMPD_HOST_CONFINE_FILTER_H

#include <stdbool.h>

/* Whether this library has the means: not without libseccomp, nor with a sanitizer, whose runtime
 * opens files, maps what it likes and traces other threads. */
bool confine_filter_is_known(void);

/* Make what is the same for all processes, which children inherit.  Returns 0, or what errno tells.
 */
int confine_filter_prepare(void);

/* From now on the calling process has no others.  Returns likewise. */
int confine_filter_load(void);

#endif
