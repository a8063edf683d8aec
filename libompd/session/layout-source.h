/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts as a source: what is known of the runtimes of one process, and what they have been found
 * to hold. */
#ifndef LIBOMPD_LAYOUT_SOURCE_H
#define LIBOMPD_LAYOUT_SOURCE_H

#include "discovery/inventory.h"
#include "kinds/blank.h"
#include "runtime/runtime.h"
#include "session/address-space.h"
#include "session/pending-frees.h"

/* How the rows of the kind that was made last begin. */
struct layout_blank {
    uint32_t kind; /* 0: none was made yet */
    uint32_t size;
    union row row;
};

struct layout_source {
    struct runtimes runtimes;
    struct inventory inventory;
    uint64_t released_stop;     /* the target's at which objects that are gone were marked */
    uint64_t acquitted_stop;    /* the target's at which the recorder was asked about misfits */
    uint64_t marked_stop;       /* the target's at which those of `marked_kinds` were marked */
    uint32_t marked_kinds;      /* bits 1 << enum layout_kind */
    uint32_t unmarked_kinds;    /* of which some could not be, */
    uint64_t unmarked;          /* so many at most */
    uint64_t unfound;           /* live objects of those kinds that the layouts have not found */
    uint32_t recorded_runtimes; /* bits 1 << index: the recorder has seen all of their objects */
    struct svm_pending svm_pending;
    struct svm_recorded svm_recorded;
    struct layout_blank blank;
};

#endif
