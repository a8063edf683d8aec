/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The answers of one stop that cost much, and are asked for again. */
#ifndef LIBOMPD_KEPT_H
#define LIBOMPD_KEPT_H

#include "answers/list.h"
#include "sources/layout/layout-source.h"

/* ---- questions ------------------------------------------------------------------------------- */

/* Those whose rows are kept. */
enum question_number { question_findings, question_wait_steps, question_holders, QUESTION_COUNT };

struct question {
    uint32_t kind; /* of its rows */
    enum question_number number;
    uint32_t parts;     /* bits of COVERAGE that it needs from layouts */
    const char *reason; /* a sentence: what it means that something could not be read */
    /* Have in KEPT the rows of this stop about its subject.  Returns ompd_rc_ok, or why there are
     * none. */
    ompd_rc_t (*find)(struct address_space *space, struct kept_rows *kept);
    /* Say what else the answer leaves open; NULL: nothing.  Returns ompd_rc_incomplete when that is
     * not known. */
    ompd_rc_t (*note)(struct address_space *space);
};

/* Open the list of the rows that answer QUESTION about SUBJECT: see ompd_cl_list_open. */
ompd_rc_t question_list_open(struct address_space *space, const struct question *question,
                             uint64_t subject, ompd_cl_list_t *id);

/* ---- kept-leaks ------------------------------------------------------------------------------ */

/* Whether the program has the handles of its objects, which one search finds out for a stop. */

/* Objects whose handles are looked for: law 6. */
#define HANDLE_LIMIT (UINT32_C(1) << 20)

#define HANDLE_NONE UINT32_MAX /* register, frame */

/* The place that tells most of those that have a handle: an ompd_cl_reference_site_info_t, packed.
 */
struct handle_place {
    uint64_t address;
    uint64_t block;
    uint64_t block_size;
    uint64_t code; /* instruction or return address; 0: not known */
    uint32_t lwp;
    uint32_t frame;
    uint32_t register_number;
    uint8_t storage;   /* ompd_cl_site_kind_t; 0: no place was found */
    bool is_presumed;  /* not known to be the program's rather than a runtime's */
    bool is_caller;    /* `code` is a return address */
    bool is_reachable; /* the program has, or can ask for, the handle of an object that tells it */
    bool has_unknown;  /* places were found of which it is not known whether they count */
};

struct kept_leaks {
    /* Handles, in ascending order: of objects that the program has references on, and of those that
     * are there though it has none any more.  What the first are missing is objects. */
    struct kept_rows wanted;
    struct kept_rows released;
    struct handle_place *places; /* for each handle that was sought */
    uint32_t place_capacity;
    bool is_exiting; /* the program was in its exit */
    struct shortfall
        unchecked; /* of what may have the handles; its `allocator` may have freed it */
};

/* ---- kept-answers ---------------------------------------------------------------------------- */

struct kept_answers {
    struct kept_rows rows[QUESTION_COUNT];
    struct kept_leaks leaks;
    struct svm_begun svm_begun;
};

#endif
