/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ways to spoil one argument of a request, and the answers that the library may give. */
#ifndef SWEEP_SPOIL_H
#define SWEEP_SPOIL_H

#include "request.h"

/* Random bit patterns for each argument. */
#define SWEEP_PATTERNS 16

/* Mixtures of ways for each function. */
#define SWEEP_MIXTURES 64

enum sweep_way {
    sweep_null, /* NULL or 0 */
    sweep_ones, /* ~0 */
    sweep_one,
    sweep_fill,        /* 0xa5a5... */
    sweep_heap_word,   /* an address of the tool's memory, not aligned */
    sweep_random,      /* SWEEP_PATTERNS of them */
    sweep_flipped,     /* the right one with one bit turned over; each of the 64 */
    sweep_all_null,    /* with all other arguments */
    sweep_several,     /* this and others, each in its own way; SWEEP_MIXTURES of them */
    sweep_stale,       /* released, closed */
    sweep_ended,       /* of an object or a thread that has ended; or whose record another uses */
    sweep_other_kind,  /* right, but of something else; several */
    sweep_other_space, /* right in another address space */
    sweep_struct_size, /* that no struct can have; several */
    sweep_newer_size,  /* of a tool's struct that is larger than the library's */
    sweep_contents,    /* of the memory pointed to: SWEEP_PATTERNS of them */
    sweep_entry        /* of a table: NULL; as many as there are entries */
};

/* One way to spoil one argument. */
struct sweep_spoil {
    unsigned variant;
    unsigned argument;
    enum sweep_way way;
    unsigned number;
};

/* The spoil number NUMBER, from 0, of SIGNATURE called in VARIANTS ways. Returns false when there
 * is none. */
bool sweep_spoil_get(const struct sweep_signature *signature, unsigned variants, uint64_t number,
                     struct sweep_spoil *spoil);

/* Codes as a set of bits; the clean answer's code stands for itself. */
#define SWEEP_CODE(code) (UINT32_C(1) << (code))
#define SWEEP_CLEAN_CODE (UINT32_C(1) << 31)

/* Spoil REQUEST, with values from OTHER, a session of the same target with its own address space,
 * which stores them. Returns the right codes; 0 when no such value exists. */
uint32_t sweep_spoil_apply(const struct sweep_spoil *spoil, struct sweep_request *request,
                           struct sweep_session *other);

#endif
