/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chains of waits of one stop, which are followed once. */
#ifndef LIBOMPD_KEPT_HOPS_H
#define LIBOMPD_KEPT_HOPS_H

#include "base/export.h"

#include <ompd-opencl.h>

#include <stdbool.h>

/* Further ones are counted alone: law 6. */
#define HOP_LIMIT (UINT32_C(1) << 16)

struct kept_hops {
    uint64_t stop;    /* the target's when they were followed, and */
    uint32_t sources; /* those that the tool wanted then */
    uint32_t count;
    uint32_t capacity;
    uint64_t lost;      /* hops that were not kept, and commands and threads not looked at */
    bool is_incomplete; /* what was looked through is not whole */
    bool has_recorder;  /* that tells who waits, */
    uint32_t unlooked;  /* and what it does not tell: bits 1 << enum unlooked */
    ompd_cl_hop_info_t *rows;
};

#endif
