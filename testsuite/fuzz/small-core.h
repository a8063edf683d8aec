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

/* Let the memory of SMALL be as that of a process is, whose threads call its runtime: where it has
 * one, its module has a build-id, and a stack two frames.  Before edits of it. */
void small_core_prepare(struct small_target *small);

/* What a core is of, besides its edits. */
struct small_core_subject {
    const struct small_target *small; /* whose memory is in it; NULL: none */
    const char *module;               /* path of the module; NULL: no file is there */
    bool has_no_build_id;             /* the module */
    bool is_lost;                     /* the module's page: it is not saved */
    bool has_no_list;                 /* of mapped files */
};

/* Put in PAGE, of SMALL_CORE_PAGE bytes, what the core of SUBJECT has of its module's file: all
 * that is loaded of it. */
#define SMALL_CORE_PAGE 4096
void small_core_put_module(const struct small_core_subject *subject, uint8_t *page);

/* Write the core of SUBJECT that EDITS say into the file FD, in place of what it has; gives the
 * bytes of it that are no hole. */
size_t small_core_write(int fd, const struct small_core_subject *subject,
                        const struct edits *edits);

#endif
