/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The real exports of the library, read from its file. */
#ifndef SWEEP_EXPORTS_H
#define SWEEP_EXPORTS_H

#define SWEEP_EXPORT_LIMIT 512

/* Store the names of the functions that the library in use exports in NAMES, at most
 * SWEEP_EXPORT_LIMIT; they remain valid. Returns their number; 0, with a line on stderr, when the
 * file cannot be read. */
unsigned sweep_exports_read(const char **names);

#endif
