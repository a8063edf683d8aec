/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One instruction at a time: where it ends, where the next one is, and what it does to registers
 * and memory. */
#ifndef LIBOMPD_CODE_STEP_H
#define LIBOMPD_CODE_STEP_H

#include "stacks/register-trace.h"

#define CODE_LONGEST 16 /* bytes of an instruction, of all machines that are known */

enum code_flow {
    code_goes_on,
    code_calls,
    code_branches, /* it goes on, or at the target */
    code_leaves    /* it does not go on here */
};

struct code_step {
    uint32_t size; /* bytes of the instruction */
    enum code_flow flow;
    bool has_target; /* `target` is where it may go on, or the function that it calls */
    uint64_t target;
};

/*
 * What the instruction at ADDRESS does, of whose BYTES there are COUNT: in *STEP, and to TRACE.
 * False: it is none that is known.
 */
typedef bool (*code_stepper_t)(const uint8_t *bytes, uint32_t count, uint64_t address,
                               struct register_trace *trace, struct code_step *step);

/* What of a machine's calling convention has to be known. */
struct code_machine {
    uint32_t number; /* in ELF */
    code_stepper_t step;
    uint8_t arguments[4]; /* the registers that have the first ones */
    uint8_t stack_pointer;
    uint32_t preserved; /* bits: other registers that functions preserve */
};

/* The machine whose number in ELF is MACHINE; NULL when its code is not known. */
const struct code_machine *code_machine_find(uint32_t machine);

#endif
