/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cached answers of one stop that are expensive to find. */
#ifndef LIBOMPD_KEPT_H
#define LIBOMPD_KEPT_H

#include "answers/list.h"
#include "sources/layout/layout-source.h"

/* ---- questions ------------------------------------------------------------------------------- */

/* The questions whose rows are cached. */
enum question_number { question_findings, question_wait_steps, question_holders, QUESTION_COUNT };

struct question {
    uint32_t kind; /* of its rows */
    enum question_number number;
    uint32_t parts;        /* bits of COVERAGE that it needs from layouts */
    const char *reason;    /* message for memory that could not be read */
    bool is_of_all;        /* it needs objects that the recorder may have missed */
    bool is_of_embree_too; /* it has an answer in a process without OpenCL, if Embree is there */
    /* Find the rows of this stop for KEPT. Returns ompd_rc_ok, or the reason for their absence. */
    ompd_rc_t (*find)(struct address_space *space, struct kept_rows *kept);
    /* Record notes on what the answer does not cover; NULL: none. Returns ompd_rc_incomplete when
     * that is unknown. */
    ompd_rc_t (*note)(struct address_space *space);
};

/* Open the list of the rows that answer QUESTION about SUBJECT: see ompd_cl_list_open. */
ompd_rc_t question_list_open(struct address_space *space, const struct question *question,
                             uint64_t subject, ompd_cl_list_t *id);

/* ---- kept-leaks ------------------------------------------------------------------------------ */

/* Which handles of its objects the program has, found by one search a stop. */

/* Number of objects whose handles are searched for: law 6. */
#define HANDLE_LIMIT (UINT32_C(1) << 20)

#define HANDLE_NONE UINT32_MAX /* register, frame */

/* The most informative place of a handle: an ompd_cl_reference_site_info_t, packed. */
struct handle_place {
    uint64_t address;
    uint64_t block;
    uint64_t block_size;
    uint64_t code; /* instruction or return address; 0: unknown */
    uint32_t lwp;
    uint32_t frame;
    uint32_t register_number;
    uint8_t storage;   /* ompd_cl_site_kind_t; 0: no place was found */
    bool is_presumed;  /* may be a runtime's rather than the program's */
    bool is_caller;    /* `code` is a return address */
    bool is_reachable; /* the program can get the handle from an object whose handle it has */
    bool has_unknown;  /* other places were found, which may not count */
};

struct kept_leaks {
    /* Handles in ascending order: of objects on which the program has references, and of objects
     * that exist without any. Missing rows of the first are objects. */
    struct kept_rows wanted;
    struct kept_rows released;
    struct handle_place *places; /* for each handle in `wanted` */
    uint32_t place_capacity;
    bool is_exiting; /* the program was exiting */
    struct shortfall
        unchecked; /* memory that may have the handles; its `allocator` may have freed it */
};

/* ---- kept-answers ---------------------------------------------------------------------------- */

struct kept_answers {
    struct kept_rows rows[QUESTION_COUNT];
    struct kept_leaks leaks;
    struct svm_begun svm_begun;
};

#endif
