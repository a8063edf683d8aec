/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The places that have the handle that was asked for last: one search finds them. */
#ifndef LIBOMPD_KEPT_HOLDERS_H
#define LIBOMPD_KEPT_HOLDERS_H

#include "base/export.h"
#include "target/scan.h"

#include <ompd-opencl.h>

#include <stdbool.h>

/* Further ones are counted alone: law 6. */
#define HOLDER_LIMIT (UINT32_C(1) << 16)

struct kept_holders {
    uint64_t stop;    /* the target's when they were looked for, and */
    uint32_t sources; /* those that the tool wanted then */
    uint32_t count;
    uint64_t handle;
    uint32_t capacity;
    bool is_short; /* not all that may have it was looked through */
    uint64_t lost; /* found, but not kept, or of which it is not known what they are */
    struct scan_missed missed;
    const char *reason; /* a sentence: why it is short; NULL: memory could not be read */
    ompd_cl_holder_info_t *rows;
};

#endif
