/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What may be OpenCL objects: for each word that points to a dispatch table, each kind of object
 * whose rules hold there.  Held while an inventory is taken.
 */
#ifndef LIBOMPD_CANDIDATE_H
#define LIBOMPD_CANDIDATE_H

#include "runtime/runtime.h"
#include "target/scan.h"

enum candidate_flag {
    candidate_dying = 1,          /* all rules hold but that on a count, which is 0 */
    candidate_internal = 2,       /* the runtime made it for itself */
    candidate_owns = 4,           /* `identity` is the address of memory that it owns */
    candidate_is_supported = 8,   /* what it names are objects of the right kinds */
    candidate_is_chosen = 16,     /* no other kind fits its handle better */
    candidate_is_named = 32,      /* another object names it */
    candidate_is_counted = 64,    /* its references are known */
    candidate_context_lost = 128, /* its OpenCL context is in memory that could not be read */
    candidate_is_compared = 256,  /* its bytes are compared with those of others */
    candidate_is_discarded = 512, /* it holds nothing, being a copy */
    candidate_is_command = 1024,  /* it holds memory objects that its list names */
    candidate_is_unproved = 2048, /* it may be a copy: the search for others like it was given up */
    candidate_chunk_lost = 4096,  /* the memory that tells its malloc chunk could not be read */
    candidate_is_bare = 8192,     /* no loader's dispatch data is in it */
    candidate_is_taken = 16384,   /* its callbacks run, and their list was taken out of it */
    candidate_is_near = 32768     /* all rules of a kind hold but one, which is not on a count */
};

/* Bits of a fingerprint; and what a chunk's size is counted in. */
#define CANDIDATE_FINGERPRINT ((UINT64_C(1) << 48) - 1)
#define CANDIDATE_CHUNK_UNIT 8

/* Of the elements of an object's lists so many at most are being made or given up at one time. */
#define MOST_UNSETTLED 4

struct candidate {
    uint64_t handle;
    uint64_t context;  /* cl handle of its OpenCL context; 0: none */
    uint64_t other;    /* a queue's device, a kernel's program, an event's queue, a parent; or 0 */
    uint64_t identity; /* what no two objects share: a number, or memory that it owns; 0: nothing */
    uint64_t fingerprint : 48; /* stands for its bytes where it has no number of its own */
    uint64_t chunk : 16;       /* size of the allocator's chunk that it is in; 0: none is seen */
    uint32_t references;
    uint32_t held;          /* of them, by objects that were found */
    uint32_t context_index; /* among the candidates, plus 1; 0: none */
    uint32_t other_index;
    uint32_t duplicate_group : 28; /* number of those with the same identity or fingerprint; 0:
                                      there are none */
    uint32_t listed : 3;   /* elements of lists that hold it, but no more than MOST_UNSETTLED */
    bool is_held_on : 1;   /* what is being destroyed may still hold it */
    uint16_t flags;        /* enum candidate_flag */
    uint8_t kind : 4;      /* enum layout_kind */
    uint8_t runtime : 3;   /* index in the runtimes, which are RUNTIME_LIMIT at most */
    bool is_destroyed : 1; /* the runtime holds it alone, until its callbacks have run */
    uint8_t doubt : 4;     /* ompd_cl_doubt_t */
    uint8_t support : 2;   /* objects that it names */
    bool is_one_of : 1;    /* it stands for its duplicates, of which one is the original */
    bool is_freed : 1;     /* it is no object: one of another kind was there, and was freed */
};

#define CANDIDATES_PER_BLOCK 16384
#define CANDIDATE_BLOCK_LIMIT 4096 /* law 6 */

/* Candidates by ascending handle. */
struct candidates {
    struct memory *memory;
    struct candidate **blocks; /* CANDIDATE_BLOCK_LIMIT of them; NULL before the first */
    uint32_t block_count;
    uint32_t count;
};

static inline struct candidate *candidate_at(const struct candidates *candidates, uint32_t index)
{
    return &candidates->blocks[index / CANDIDATES_PER_BLOCK][index % CANDIDATES_PER_BLOCK];
}

/* Give room for one more at the end, of undefined contents, in *CANDIDATE.  Returns ompd_rc_ok or
 * ompd_rc_nomem. */
ompd_rc_t candidates_add(struct candidates *candidates, struct candidate **candidate);

/* The first candidate with HANDLE or above; their count when there is none. */
uint32_t candidates_find(const struct candidates *candidates, uint64_t handle);

void candidates_free(struct candidates *candidates);

/* The lowest address of any heap. A lower value where a pointer is kept is a special mark, such as
 * the address of an empty vector's elements in Rust. */
#define LEAST_POINTER 65536

/* ---- Steps to an inventory ------------------------------------------------------------------- */

#define REJECTED_LIMIT 1024 /* law 6 */

/* What discovery works with: the candidates of a target, and what is learned of them on the way. */
struct discovery {
    struct target *target;
    struct code *code;
    const struct runtimes *runtimes;
    struct candidates candidates;
    /* Words that lead to a table where no rules hold, at most REJECTED_LIMIT of a runtime.
     * `identity` is the start of what is allocated there, 0: not known; one that looks like an
     * object that was freed is candidate_dying, one with a rule that does not fit is
     * candidate_is_near.  `context` is set by last_references_find. */
    struct candidates rejected;
    uint32_t rejected_count[RUNTIME_LIMIT];
    /* Of each runtime, how many words look like objects that were freed. */
    uint32_t freed[RUNTIME_LIMIT];
    /* Of each runtime, how many words seem to be objects that its layout does not recognise. */
    uint32_t unrecognised[RUNTIME_LIMIT];
    struct scan scan;
    /* Size of the chunks that most objects of a kind are in, by runtime; 0: they are in none. */
    uint16_t typical_chunks[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
};

/* What the layout of its runtime says of objects of the candidate's kind. */
static inline const struct layout_object *candidate_layout(const struct discovery *discovery,
                                                           const struct candidate *candidate)
{
    return &discovery->runtimes->all[candidate->runtime].layout->objects[candidate->kind];
}

/* Tell whether what CANDIDATE names beside its OpenCL context may be gone: some runtimes free the
 * buffer of a sub-buffer before the destructor callbacks of that have run. */
static inline bool candidate_may_outlive(const struct candidate *candidate)
{
    return (candidate->flags & candidate_dying) != 0 &&
           (candidate->kind == layout_buffer || candidate->kind == layout_image);
}

#endif
