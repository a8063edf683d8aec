/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions: what a step of them does to registers and the stack. */
#ifndef LIBOMPD_MACHINE_H
#define LIBOMPD_MACHINE_H

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- register-trace -------------------------------------------------------------------------- */

/*
 * What registers and memory hold along a stretch of code, in terms of values that are not known
 * there: so that one register that is known at its end tells others.
 */

/* Registers are numbered as in DWARF: those for integers of the known machines. */
#define TRACE_REGISTERS 32

/* Places in memory whose contents are followed; the oldest is forgotten for a new one. */
#define TRACE_PLACES 32

/* Something that is not known, plus `offset`; of that the low `size` bytes. */
struct trace_value {
    uint32_t origin; /* what is not known, by number; 0: nothing, the value is `offset` */
    uint32_t size;   /* 4 or 8 */
    uint64_t offset;
};

/* SIZE bytes at `address` have held `value` since they were written or read last. */
struct trace_place {
    struct trace_value address;
    struct trace_value value;
    uint32_t size; /* 0: the place is not used */
};

struct register_trace {
    struct trace_value registers[TRACE_REGISTERS];
    struct trace_place places[TRACE_PLACES];
    uint32_t next_place;
    uint32_t origins; /* so far */
    uint32_t written; /* bits: registers that got a value, but what was saved of them */
    uint32_t pointer_size;
};

/* An address that an instruction names. */
struct trace_operand {
    bool is_known; /* false: it cannot be told */
    struct trace_value address;
};

/* Begin where all registers hold what they do: register NUMBER the origin NUMBER + 1. */
void trace_begin(struct register_trace *trace, uint32_t pointer_size);

/* Other code may come here: nothing that was learned holds any more. */
void trace_join(struct register_trace *trace);

/* Register NUMBER gets what is not known. */
void trace_forget(struct register_trace *trace, unsigned number);

/* The same of what was saved of it. */
void trace_restore(struct register_trace *trace, unsigned number);

/* Register NUMBER gets VALUE. */
void trace_set(struct register_trace *trace, unsigned number, struct trace_value value);

/* Register NUMBER gets the SIZE bytes at OPERAND; their contents are the result. */
struct trace_value trace_load(struct register_trace *trace, const struct trace_operand *operand,
                              uint32_t size);

/* SIZE bytes at OPERAND get VALUE. */
void trace_store(struct register_trace *trace, const struct trace_operand *operand,
                 struct trace_value value, uint32_t size);

/* SIZE bytes at OPERAND get what is not known. */
void trace_overwrite(struct register_trace *trace, const struct trace_operand *operand,
                     uint32_t size);

/* A function is called, which leaves registers alone but for CHANGED, bits by their numbers. */
void trace_call(struct register_trace *trace, uint32_t changed);

/* The constant NUMBER. */
static inline struct trace_value trace_constant(uint64_t number)
{
    return (struct trace_value){0, sizeof(uint64_t), number};
}

/* The address DISTANCE behind what register BASE holds. */
static inline struct trace_operand trace_at(const struct register_trace *trace, unsigned base,
                                            uint64_t distance)
{
    struct trace_value address = trace->registers[base];
    bool is_whole = address.size == sizeof(uint64_t);

    address.offset += distance;
    return (struct trace_operand){is_whole, address};
}

/* ---- The end --------------------------------------------------------------------------------- */

/* What is known at the end of a stretch of code. */
struct trace_end {
    uint32_t known; /* bits: registers whose values are known */
    uint64_t values[TRACE_REGISTERS];
};

/* Have in *NUMBER what VALUE of TRACE is, with END known, and memory of TARGET as it is now. False:
 * that is not told. */
bool trace_resolve(const struct register_trace *trace, const struct trace_end *end,
                   struct target *target, struct trace_value value, uint64_t *number);

/* ---- code-step ------------------------------------------------------------------------------- */

/* One instruction at a time: where it ends, where the next one is, and what it does to registers
 * and memory. */

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

/* ---- aarch64-step ---------------------------------------------------------------------------- */

/* What instructions of AArch64 do, so far as values are moved by them: of all others which
 * registers and which memory they change. */

/* See code_stepper_t. */
bool aarch64_step(const uint8_t *bytes, uint32_t count, uint64_t address,
                  struct register_trace *trace, struct code_step *step);

/* ---- function-start -------------------------------------------------------------------------- */

/* Where a function begins that has no symbol: the unwind tables of its module tell. */

/*
 * Have in *START where the function of MODULE begins that ADDRESS is in.  Of a function that the
 * compiler has split, each part begins for itself.  Returns ompd_rc_ok; ompd_rc_unavailable when it
 * is not told; as target_view when the tables cannot be read.
 */
ompd_rc_t function_start_find(struct target *target, const struct module *module, uint64_t address,
                              uint64_t *start);

/* The same with where it ends in *END, behind its last byte. */
ompd_rc_t function_find(struct target *target, const struct module *module, uint64_t address,
                        uint64_t *start, uint64_t *end);

/* ---- x86-instruction ------------------------------------------------------------------------- */

/*
 * Instructions of x86-64: where each ends and what it is made of (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, chapter 2 and appendix A).
 */

#define X86_LONGEST 15 /* bytes */

/* Which table an opcode is of. */
enum x86_map { x86_one_byte, x86_0f, x86_0f38, x86_0f3a, x86_other };

/* A register where there is none. */
#define X86_NONE 16

/* Numbers of registers are those of the encoding. */
struct x86_instruction {
    uint8_t size; /* bytes */
    uint8_t opcode;
    uint8_t map;       /* enum x86_map */
    bool is_vector;    /* encoded by VEX or EVEX */
    bool is_64;        /* its operands have 64 bits */
    bool is_16;        /* they have 16 */
    bool is_repeated;  /* prefix F3, which also chooses among instructions */
    bool has_modrm;    /* the following are told: */
    uint8_t selector;  /* three bits that choose among instructions of one opcode, or */
    uint8_t reg;       /* this register is an operand, */
    bool is_memory;    /* and another in memory, or else */
    uint8_t rm;        /* this register; without these the one that the opcode names */
    uint8_t third;     /* a further register; X86_NONE: there is none */
    uint8_t base;      /* of the address in memory; X86_NONE: none */
    bool is_relative;  /* the address is behind the instruction */
    bool is_elsewhere; /* the address has more parts than these, or is of another segment */
    int64_t displacement;
    int64_t immediate; /* or the distance of a jump */
};

/* Decode what is at BYTES, of which there are COUNT.  False: it is no instruction that this library
 * knows, or not all of it is there. */
bool x86_decode(const uint8_t *bytes, uint32_t count, struct x86_instruction *instruction);

/* ---- x86-step -------------------------------------------------------------------------------- */

/* What instructions of x86-64 do, so far as values are moved by them: of all others which registers
 * and which memory they change. */

/* See code_stepper_t. */
bool x86_step(const uint8_t *bytes, uint32_t count, uint64_t address, struct register_trace *trace,
              struct code_step *step);

#endif
