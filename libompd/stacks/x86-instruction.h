/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Instructions of x86-64: where each ends and what it is made of (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, chapter 2 and appendix A).
 */
#ifndef LIBOMPD_X86_INSTRUCTION_H
#define LIBOMPD_X86_INSTRUCTION_H

#include "base/export.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
