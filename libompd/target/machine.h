/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Machine code: what instructions do to registers and the stack. */
#ifndef LIBOMPD_MACHINE_H
#define LIBOMPD_MACHINE_H

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- register-trace -------------------------------------------------------------------------- */

/*
 * Traces registers and memory through a range of code, as values relative to unknown ones. A
 * register that is known at the end of the range then determines others.
 */

/* Registers have their DWARF numbers: the integer registers of the supported machines. */
#define TRACE_REGISTERS 32

/* The number of traced places in memory; a new one replaces the oldest. */
#define TRACE_PLACES 32

/* The low `size` bytes of an unknown value plus `offset`. */
struct trace_value {
    uint32_t origin; /* number of the unknown value; 0: none, the value is `offset` */
    uint32_t size;   /* 4 or 8 */
    uint64_t offset;
};

/* SIZE bytes at `address` hold `value` since they were last written or read. */
struct trace_place {
    struct trace_value address;
    struct trace_value value;
    uint32_t size; /* 0: unused */
};

struct register_trace {
    struct trace_value registers[TRACE_REGISTERS];
    struct trace_place places[TRACE_PLACES];
    uint32_t next_place;
    uint32_t origins; /* number of unknown values so far */
    uint32_t written; /* bits: registers that were written, except for restored ones */
    uint32_t pointer_size;
};

/* The operand of an instruction in memory. */
struct trace_operand {
    bool is_known; /* false: the address is unknown */
    struct trace_value address;
};

/* Begin with unknown values in all registers: register NUMBER has origin NUMBER + 1. */
void trace_begin(struct register_trace *trace, uint32_t pointer_size);

/* Forget everything: other code may jump here. */
void trace_join(struct register_trace *trace);

/* Assign a new unknown value to register NUMBER. */
void trace_forget(struct register_trace *trace, unsigned number);

/* Register NUMBER is restored from its saved value, which is unknown. */
void trace_restore(struct register_trace *trace, unsigned number);

/* Set register NUMBER to VALUE. */
void trace_set(struct register_trace *trace, unsigned number, struct trace_value value);

/* Load SIZE bytes at OPERAND, and return the value. */
struct trace_value trace_load(struct register_trace *trace, const struct trace_operand *operand,
                              uint32_t size);

/* Store VALUE in SIZE bytes at OPERAND. */
void trace_store(struct register_trace *trace, const struct trace_operand *operand,
                 struct trace_value value, uint32_t size);

/* Store an unknown value in SIZE bytes at OPERAND. */
void trace_overwrite(struct register_trace *trace, const struct trace_operand *operand,
                     uint32_t size);

/* Call a function, which preserves all registers except CHANGED, bits by their numbers. */
void trace_call(struct register_trace *trace, uint32_t changed);

/* The constant NUMBER. */
static inline struct trace_value trace_constant(uint64_t number)
{
    return (struct trace_value){0, sizeof(uint64_t), number};
}

/* The operand at DISTANCE from the address in register BASE. */
static inline struct trace_operand trace_at(const struct register_trace *trace, unsigned base,
                                            uint64_t distance)
{
    struct trace_value address = trace->registers[base];
    bool is_whole = address.size == sizeof(uint64_t);

    address.offset += distance;
    return (struct trace_operand){is_whole, address};
}

/* ---- The end --------------------------------------------------------------------------------- */

/* The known state at the end of a range of code. */
struct trace_end {
    uint32_t known; /* bits: registers whose values are known */
    uint64_t values[TRACE_REGISTERS];
};

/* Resolve VALUE of TRACE in *NUMBER, from what END knows and the target's memory as it is now.
 * Returns false if that is not enough. */
bool trace_resolve(const struct register_trace *trace, const struct trace_end *end,
                   struct target *target, struct trace_value value, uint64_t *number);

/* ---- code-step ------------------------------------------------------------------------------- */

/* A single instruction: its end, where execution continues, and its effect on registers and
 * memory. */

#define CODE_LONGEST 16 /* bytes of the longest instruction of all supported machines */

enum code_flow {
    code_goes_on,
    code_calls,
    code_branches, /* it continues with the next instruction, or at the target */
    code_leaves    /* it does not continue with the next instruction */
};

struct code_step {
    uint32_t size; /* bytes of the instruction */
    enum code_flow flow;
    bool has_target; /* `target` is where it may continue, or the called function */
    uint64_t target;
};

/*
 * Describe the instruction at ADDRESS, of which COUNT BYTES are available, in *STEP, and apply it
 * to TRACE. Returns false if it is unknown.
 */
typedef bool (*code_stepper_t)(const uint8_t *bytes, uint32_t count, uint64_t address,
                               struct register_trace *trace, struct code_step *step);

/* The calling convention of a machine. */
struct code_machine {
    uint32_t number; /* ELF machine number */
    code_stepper_t step;
    uint8_t arguments[4]; /* the registers of the first arguments */
    uint8_t stack_pointer;
    uint32_t preserved; /* bits: other registers that functions preserve */
};

/* The machine with the ELF number MACHINE; NULL when its code is not supported. */
const struct code_machine *code_machine_find(uint32_t machine);

/* ---- aarch64-step ---------------------------------------------------------------------------- */

/* AArch64 instructions that move values. Of all others, only which registers and which memory they
 * change. */

/* See code_stepper_t. */
bool aarch64_step(const uint8_t *bytes, uint32_t count, uint64_t address,
                  struct register_trace *trace, struct code_step *step);

/* ---- function-start -------------------------------------------------------------------------- */

/* The start of functions without symbols, from the unwind tables of their modules. */

/*
 * Find the start of the function of MODULE around ADDRESS, in *START. Each part of a function that
 * the compiler has split has its own start. Returns ompd_rc_ok; ompd_rc_unavailable when it is
 * unknown; as target_view does when the tables cannot be read.
 */
ompd_rc_t function_start_find(struct target *target, const struct module *module, uint64_t address,
                              uint64_t *start);

/* The same, with the end of the function, behind its last byte, in *END. */
ompd_rc_t function_find(struct target *target, const struct module *module, uint64_t address,
                        uint64_t *start, uint64_t *end);

/* ---- x86-instruction ------------------------------------------------------------------------- */

/*
 * Decodes x86-64 instructions: their length and their operands (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, chapter 2 and appendix A).
 */

#define X86_LONGEST 15 /* bytes */

/* The table that an opcode belongs to. */
enum x86_map { x86_one_byte, x86_0f, x86_0f38, x86_0f3a, x86_other };

/* No register. */
#define X86_NONE 16

/* Registers have the numbers of their encoding. */
struct x86_instruction {
    uint8_t size; /* bytes */
    uint8_t opcode;
    uint8_t map;       /* enum x86_map */
    bool is_vector;    /* encoded by VEX or EVEX */
    bool is_64;        /* 64-bit operands */
    bool is_16;        /* 16-bit operands */
    bool is_repeated;  /* prefix F3, which also selects among instructions */
    bool has_modrm;    /* the following are set: */
    uint8_t selector;  /* three bits that select among instructions of one opcode, or */
    uint8_t reg;       /* this register is an operand, */
    bool is_memory;    /* and the other is in memory, or else it is */
    uint8_t rm;        /* this register; without ModRM the register in the opcode */
    uint8_t third;     /* another register; X86_NONE: none */
    uint8_t base;      /* of the memory address; X86_NONE: none */
    bool is_relative;  /* the address is relative to the end of the instruction */
    bool is_elsewhere; /* the address has more parts, or another segment */
    int64_t displacement;
    int64_t immediate; /* or the displacement of a jump */
};

/* Decode the instruction at BYTES, of which COUNT are available. Returns false if the library does
 * not know it, or it is incomplete. */
bool x86_decode(const uint8_t *bytes, uint32_t count, struct x86_instruction *instruction);

/* ---- x86-step -------------------------------------------------------------------------------- */

/* x86-64 instructions that move values. Of all others, only which registers and which memory they
 * change. */

/* See code_stepper_t. */
bool x86_step(const uint8_t *bytes, uint32_t count, uint64_t address, struct register_trace *trace,
              struct code_step *step);

#endif
