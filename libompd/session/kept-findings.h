/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The findings of one stop, which are looked for once. */
#ifndef LIBOMPD_KEPT_FINDINGS_H
#define LIBOMPD_KEPT_FINDINGS_H

#include "base/export.h"

#include <ompd-opencl.h>

#include <stdbool.h>

/* Further ones are counted alone: law 6. */
#define FINDING_LIMIT (UINT32_C(1) << 16)

struct kept_findings {
    uint64_t stop;    /* the target's when they were looked for, and */
    uint32_t sources; /* those that the tool wanted then */
    uint32_t count;
    uint32_t capacity;
    uint64_t lost;         /* found, but not kept */
    bool is_incomplete;    /* what was looked through is not whole: there may be more */
    uint32_t unlooked;     /* bits 1 << enum unlooked: what was not looked for */
    const char *allocator; /* whose memory was not; static */
    ompd_cl_finding_info_t *rows;
};

#endif
