/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the program `embree` knows of its objects, for tests to compare with, and where it stops. */
#ifndef EMBREE_TRUTH_H
#define EMBREE_TRUTH_H

#include "embree-objects.h"

/* The subject of a mistake. */
typedef struct subject_t {
    const object_t *object; /* NULL: there is no mistake */
    uintptr_t address;
    size_t size;
} subject_t;

extern subject_t truth_subject;

/* The folder of the files, and whether the program aborts at its first stop. */
void truth_begin(const char *folder, bool is_to_abort);

/* Write FOLDER/STOP.json. */
void truth_write(const char *stop);

/* Write it, then write the line STOP, call embree_stop, and wait for a line or the end of the
 * input; or abort. */
void truth_stop(const char *stop);

/* Write the line STOP alone. */
void truth_tell(const char *stop);

/* Require that nothing is left of any device, as its monitor tells. */
void truth_require_balance(void);

/* For a breakpoint. */
__attribute__((noinline, visibility("default"))) void embree_stop(const char *stop);

#endif
