/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which addresses of the target are code.  A core leaves the text of libraries out, so what its
 * regions do not say is told by the ELF headers of the modules.
 */
#ifndef LIBOMPD_CODE_H
#define LIBOMPD_CODE_H

#include "target.h"

/* The answer for the addresses [start, end), kept because callers ask about neighbours. */
struct code_range {
    uint64_t start;
    uint64_t end;
    bool is_code;
};

#define CODE_RANGES 16

struct code {
    uint64_t stop; /* the target's at which the ranges were learned */
    unsigned next; /* to be replaced */
    struct code_range ranges[CODE_RANGES];
};

/* Tell whether ADDRESS can be that of a function.  Where the tool tells neither regions nor
 * modules, any address but 0 can. */
bool code_is_there(struct code *code, struct target *target, uint64_t address);

#endif
