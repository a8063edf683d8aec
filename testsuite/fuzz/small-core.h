/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cores that no kernel writes, made by edits: segments that share bytes, repeated headers, large
 * counts, holes.  Without edits, a core has one module and two threads, or the memory of a small
 * target and two more threads.
 */
#ifndef FUZZ_SMALL_CORE_H
#define FUZZ_SMALL_CORE_H

#include "edits.h"
#include "small-targets.h"

/* Make the memory of SMALL like that of a process whose threads call its runtime. If it has a
 * runtime, its module gets a build-id, and a stack two frames. Call it before edits. */
void small_core_prepare(struct small_target *small);

/* The contents of a core, besides its edits. */
struct small_core_subject {
    const struct small_target *small; /* whose memory it has; NULL: none */
    const char *module;               /* path of the module; NULL: the file does not exist */
    bool has_no_build_id;             /* the module */
    bool is_lost;                     /* the module's page: it is not saved */
    bool has_no_list;                 /* of mapped files */
};

/* Write to PAGE, of SMALL_CORE_PAGE bytes, the loaded part of the module's file in the core of
 * SUBJECT. */
#define SMALL_CORE_PAGE 4096
void small_core_put_module(const struct small_core_subject *subject, uint8_t *page);

/* Write the core of SUBJECT with EDITS to the file FD, replacing its contents. Returns the number
 * of bytes that are not holes. */
size_t small_core_write(int fd, const struct small_core_subject *subject,
                        const struct edits *edits);

#endif
