/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names as source has them. */
#ifndef OMPD_HOST_DEMANGLE_H
#define OMPD_HOST_DEMANGLE_H

/* A copy of NAME, which linkers use, as its language writes it, or as it is.  NULL: no memory.
 * Owned by the caller (free). */
char *demangle(const char *name);

#endif
