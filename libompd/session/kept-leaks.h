/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program has the handles of its objects, which one search finds out for a stop. */
#ifndef LIBOMPD_KEPT_LEAKS_H
#define LIBOMPD_KEPT_LEAKS_H

#include "base/export.h"
#include "target/scan.h"

#include <ompd-opencl.h>

#include <stdbool.h>

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

#endif
