/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The answers of one stop that cost much, and are asked for again. */
#ifndef LIBOMPD_KEPT_H
#define LIBOMPD_KEPT_H

#include "sources/layout/layout-source.h"

#include <ompd-opencl.h>
#include <stdbool.h>

/* ---- kept-findings --------------------------------------------------------------------------- */

/* The findings of one stop, which are looked for once. */

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

/* ---- kept-holders ---------------------------------------------------------------------------- */

/* The places that have the handle that was asked for last: one search finds them. */

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

/* ---- kept-hops ------------------------------------------------------------------------------- */

/* The chains of waits of one stop, which are followed once. */

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

/* ---- kept-leaks ------------------------------------------------------------------------------ */

/* Whether the program has the handles of its objects, which one search finds out for a stop. */

/* Objects whose handles are looked for: law 6. */
#define HANDLE_LIMIT (UINT32_C(1) << 20)

#define HANDLE_NONE UINT32_MAX /* register, frame */

/* The place that tells most of those that have a handle: an ompd_cl_holder_info_t, packed. */
struct handle_place {
    uint64_t address;
    uint64_t block;
    uint64_t block_size;
    uint64_t code; /* instruction or return address; 0: not known */
    uint32_t lwp;
    uint32_t frame;
    uint32_t register_number;
    uint8_t storage;   /* ompd_cl_storage_t; 0: no place was found */
    bool is_presumed;  /* not known to be the program's rather than a runtime's */
    bool is_caller;    /* `code` is a return address */
    bool is_reachable; /* the program has, or can ask for, the handle of an object that tells it */
    bool has_unknown;  /* places were found of which it is not known whether they count */
};

/* Handles in ascending order. */
struct kept_handles {
    uint64_t *all;
    uint32_t count;
    uint32_t capacity;
    uint64_t dropped; /* further ones */
};

struct kept_leaks {
    uint64_t stop;                /* the target's when they were looked for, and */
    uint32_t sources;             /* those that the tool wanted then */
    bool is_exiting;              /* the program was in its exit */
    bool is_incomplete;           /* not all objects could be looked at */
    bool is_short;                /* not all that may have a handle was looked through */
    const char *reason;           /* a sentence: why; NULL: memory could not be read */
    const char *allocator;        /* not glibc's, which may have freed what has a handle; NULL */
    struct scan_missed missed;    /* by the search for handles */
    struct kept_handles sought;   /* of objects that the program has references on */
    struct kept_handles released; /* of those that are there though it has none any more */
    struct handle_place *places;  /* for each handle that was sought */
    uint32_t place_capacity;
};

/* ---- kept-answers ---------------------------------------------------------------------------- */

/* The answers of one stop that cost much, and are asked for again. */

struct kept_answers {
    struct kept_findings findings;
    struct kept_hops hops;
    struct kept_holders holders;
    struct kept_leaks leaks;
    struct svm_begun svm_begun;
};

#endif
