/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fstat(2) in a process that may stat no path. */
#ifndef OMPD_HOST_CONFINE_STAT_H
#define OMPD_HOST_CONFINE_STAT_H

#include <stdbool.h>

/* Whether the registers of a call are known here. */
#if (defined(__x86_64__) && defined(__LP64__)) || defined(__i386__) || defined(__aarch64__)
#define CONFINE_STAT_TRAPS 1
#else
#define CONFINE_STAT_TRAPS 0
#endif

/* From now on a call of fstatat that a filter traps is one of fstat, where its path is empty; with
 * any other it fails with EPERM.  False: that cannot be, as errno tells.  Where
 * CONFINE_STAT_TRAPS. */
bool confine_stat_begin(void);

#endif
