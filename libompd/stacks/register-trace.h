/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What registers and memory hold along a stretch of code, in terms of values that are not known
 * there: so that one register that is known at its end tells others.
 */
#ifndef LIBOMPD_REGISTER_TRACE_H
#define LIBOMPD_REGISTER_TRACE_H

#include "target/target.h"

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

#endif
