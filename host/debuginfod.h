/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that debuginfod's servers have (DEBUGINFOD_URLS), by their build-ids. */
#ifndef OMPD_HOST_DEBUGINFOD_H
#define OMPD_HOST_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>

/* Fetch the ELF file that has the build-id of SIZE BYTES, or with IS_DEBUGINFO its debug
 * information, and open it for reading.  *FOUND, unless FOUND is NULL, gets its path here, owned by
 * the caller (free).  -1: no server has it, or debuginfod's client library is not installed. */
int debuginfod_open(const unsigned char *bytes, size_t size, bool is_debuginfo, char **found);

/* The same of the build-id DIGITS, in hexadecimal. */
int debuginfod_open_digits(const char *digits, bool is_debuginfo, char **found);

#endif
