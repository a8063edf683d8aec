/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which addresses of the target are code.  A core leaves the text of libraries out, so what its
 * regions do not say is told by the ELF headers of the modules.
 */
#ifndef LIBOMPD_CODE_H
#define LIBOMPD_CODE_H

#include "target/target.h"

/* The answer for the addresses [start, end), kept because callers ask about neighbours. */
struct code_range {
    uint64_t start;
    uint64_t end;
    bool is_code;
    uint16_t failure; /* ompd_cl_status_t: why nobody can tell, so that they may be code; else 0 */
};

/* More than a process with many libraries and devices has: to learn one takes as many callbacks as
 * there are modules. */
#define CODE_RANGES 256

struct code {
    uint64_t stop;    /* the target's at which the ranges were learned */
    unsigned count;   /* of ranges, which lie in the order of addresses and do not overlap */
    unsigned last;    /* that has answered */
    ompd_rc_t doubt;  /* of answers since code_doubt_forget */
    uint16_t failure; /* ompd_cl_status_t of the last of them that was doubtful */
    struct code_range ranges[CODE_RANGES];
};

/* Tell whether ADDRESS can be that of a function.  Where the tool tells neither regions nor
 * modules, any address but 0 can; so can one of which nobody can tell, but that is a doubt. */
bool code_is_there(struct code *code, struct target *target, uint64_t address);

/* Ask the tool again what it failed to tell at this stop. */
void code_retry(struct code *code);

/* Forget earlier doubts. */
void code_doubt_forget(struct code *code);

/* Tell whether each answer since then was sure: ompd_rc_ok; ompd_rc_incomplete, with `failure` of
 * TARGET, when one was not because the tool failed; ompd_rc_nomem. */
ompd_rc_t code_doubt_tell(const struct code *code, struct target *target);

#endif
