/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See the Arm Architecture Reference Manual, chapter C4. */
#include "target/machine.h"

#define SIZE 4
#define STACK_POINTER 31 /* as a base; as another operand it is 0 */

/* Those that functions need not preserve: all but x19 to x29 and the stack pointer. */
#define CHANGED_BY_CALLS UINT32_C(0x4007ffff)

/* The most that a store writes. */
#define VECTOR_SIZE 64

/* COUNT bits of WORD from FIRST on. */
static uint32_t word_bits(uint32_t word, unsigned first, unsigned count)
{
    return word >> first & ((UINT32_C(1) << count) - 1);
}

/* The same as a number with a sign. */
static uint64_t signed_word_bits(uint32_t word, unsigned first, unsigned count)
{
    uint64_t sign = UINT64_C(1) << (count - 1);

    return (word_bits(word, first, count) ^ sign) - sign;
}

static void set_register(struct register_trace *trace, unsigned to, struct trace_value value)
{
    if (to != STACK_POINTER)
        trace_set(trace, to, value);
}

static void forget_register(struct register_trace *trace, unsigned to)
{
    if (to != STACK_POINTER)
        trace_forget(trace, to);
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* The value of WIDTH bytes in register FROM; 0 for the zero register. */
static struct trace_value register_value(const struct register_trace *trace, unsigned from,
                                         uint32_t width)
{
    struct trace_value value = from != STACK_POINTER ? trace->registers[from] : trace_constant(0);

    if (width == 4 && value.origin == 0)
        value.offset &= UINT32_MAX;
    else if (width == 4)
        value.size = 4;
    return value;
}

/* add and sub of an immediate: the stack pointer may be either operand. */
static void step_sum(struct register_trace *trace, uint32_t word)
{
    uint64_t distance = (uint64_t)word_bits(word, 10, 12) << (word_bits(word, 22, 1) != 0 ? 12 : 0);
    unsigned to = word_bits(word, 0, 5);
    bool sets_flags = word_bits(word, 29, 1) != 0;
    struct trace_value value = trace->registers[word_bits(word, 5, 5)];

    if (sets_flags && to == STACK_POINTER)
        return;
    value.offset += word_bits(word, 30, 1) != 0 ? 0 - distance : distance;
    if (word_bits(word, 31, 1) != 0 && value.size == sizeof(uint64_t))
        trace_set(trace, to, value);
    else
        trace_forget(trace, to);
}

/* movn, movz and movk. */
static void step_immediate(struct register_trace *trace, uint32_t word)
{
    unsigned kind = word_bits(word, 29, 2);
    bool is_64 = word_bits(word, 31, 1) != 0;
    uint64_t value = (uint64_t)word_bits(word, 5, 16) << word_bits(word, 21, 2) * 16;
    unsigned to = word_bits(word, 0, 5);

    if (kind == 0)
        value = ~value;
    if (kind == 3)
        forget_register(trace, to);
    else
        set_register(trace, to, trace_constant(is_64 ? value : value & UINT32_MAX));
}

/* adr and adrp. */
static void step_address(struct register_trace *trace, uint32_t word, uint64_t address)
{
    uint64_t distance = signed_word_bits(word, 5, 19) << 2 | word_bits(word, 29, 2);
    bool is_page = word_bits(word, 31, 1) != 0;

    set_register(trace, word_bits(word, 0, 5),
                 trace_constant(is_page ? (address & ~UINT64_C(0xfff)) + (distance << 12)
                                        : address + distance));
}

/* Data processing: see C4.1. */
static void step_data(struct register_trace *trace, uint32_t word, uint64_t address)
{
    unsigned to = word_bits(word, 0, 5);

    if ((word & 0x1f000000) == 0x10000000)
        step_address(trace, word, address);
    else if ((word & 0x1f800000) == 0x11000000)
        step_sum(trace, word);
    else if ((word & 0x1f800000) == 0x12800000)
        step_immediate(trace, word);
    else if ((word & 0x7fe0ffe0) == 0x2a0003e0)
        set_register(
            trace, to,
            register_value(trace, word_bits(word, 16, 5), word_bits(word, 31, 1) != 0 ? 8 : 4));
    else if (((word & 0x3fe00000) == 0x0b200000 || (word & 0x1f800000) == 0x12000000) &&
             word_bits(word, 29, 2) != 3)
        trace_forget(trace, to); /* these may have the stack pointer as their result */
    else
        forget_register(trace, to);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Transfer register NUMBER, WIDTH bytes at DISTANCE from the base. */
static void transfer_register(struct register_trace *trace, unsigned base, uint64_t distance,
                              unsigned of, uint32_t width, bool is_load)
{
    struct trace_operand operand = trace_at(trace, base, distance);

    if (is_load)
        set_register(trace, of, trace_load(trace, &operand, width));
    else
        trace_store(trace, &operand, register_value(trace, of, width), width);
}

/* The base grows by DISTANCE. */
static void move_base(struct register_trace *trace, unsigned base, uint64_t distance)
{
    struct trace_value value = trace->registers[base];

    value.offset += distance;
    trace_set(trace, base, value);
}

/* ldp and stp of two registers for integers. */
static void step_pair(struct register_trace *trace, uint32_t word)
{
    uint32_t width = word_bits(word, 31, 1) != 0 ? 8 : 4;
    uint64_t distance = signed_word_bits(word, 15, 7) * width;
    unsigned mode = word_bits(word, 23, 2); /* 1: after, 2: without, 3: before moving the base */
    unsigned base = word_bits(word, 5, 5);
    bool is_load = word_bits(word, 22, 1) != 0;
    uint32_t written = trace->written;

    if (mode == 3)
        move_base(trace, base, distance);
    for (unsigned i = 0; i < 2; i++)
        transfer_register(trace, base, (mode == 2 ? distance : 0) + (uint64_t)i * width,
                          word_bits(word, i == 0 ? 0 : 10, 5), width, is_load);
    if (mode == 1)
        move_base(trace, base, distance);
    /* A register loaded from the stack was saved there. */
    if (is_load && base == STACK_POINTER)
        trace->written = written;
}

/* ldr and str of a register for integers, of four or eight bytes. Returns false if it is another
 * form. */
static bool step_single(struct register_trace *trace, uint32_t word)
{
    uint32_t width = word_bits(word, 30, 2) == 3 ? 8 : 4;
    unsigned mode = word_bits(word, 10, 2);
    unsigned base = word_bits(word, 5, 5);
    unsigned of = word_bits(word, 0, 5);
    bool is_load = word_bits(word, 22, 1) != 0;
    uint32_t written = trace->written;

    if (word_bits(word, 30, 2) < 2 || word_bits(word, 23, 1) != 0)
        return false;
    if ((word & 0x3f000000) == 0x39000000) {
        transfer_register(trace, base, (uint64_t)word_bits(word, 10, 12) * width, of, width,
                          is_load);
        return true;
    }
    if ((word & 0x3f200000) != 0x38000000 || mode == 2)
        return false;
    if (mode == 3)
        move_base(trace, base, signed_word_bits(word, 12, 9));
    transfer_register(trace, base, mode == 0 ? signed_word_bits(word, 12, 9) : 0, of, width,
                      is_load);
    if (mode == 1)
        move_base(trace, base, signed_word_bits(word, 12, 9));
    if (is_load && base == STACK_POINTER && mode != 0)
        trace->written = written;
    return true;
}

/* Another form: it may change all registers that it names but the stack pointer, that too where it
 * moves its base, and memory there. */
static void forget_transfer(struct register_trace *trace, uint32_t word)
{
    struct trace_operand operand = trace_at(trace, word_bits(word, 5, 5), 0);
    bool is_vector = word_bits(word, 26, 1) != 0;

    operand.is_known = false;
    trace_overwrite(trace, &operand, VECTOR_SIZE);
    if (!is_vector) {
        forget_register(trace, word_bits(word, 0, 5));
        forget_register(trace, word_bits(word, 10, 5));
        forget_register(trace, word_bits(word, 16, 5));
    }
    /* Of pairs and singles those with an index that is written back. */
    if (((word & 0x3a000000) == 0x28000000 && word_bits(word, 23, 1) != 0) ||
        ((word & 0x3b200000) == 0x38000000 && word_bits(word, 10, 1) != 0) ||
        (word & 0x3f000000) == 0x0c000000)
        trace_forget(trace, word_bits(word, 5, 5));
}

static void step_memory(struct register_trace *trace, uint32_t word)
{
    bool is_pair = (word & 0x3e000000) == 0x28000000 && word_bits(word, 30, 1) == 0 &&
                   word_bits(word, 23, 2) != 0;

    if (is_pair)
        step_pair(trace, word);
    else if (!step_single(trace, word))
        forget_transfer(trace, word);
}

/* ---- Successors ------------------------------------------------------------------------------ */

/* Branches, and instructions for the system. */
static void step_branch(struct register_trace *trace, uint32_t word, uint64_t address,
                        struct code_step *step)
{
    uint64_t distance = 0;

    if ((word & 0x7c000000) == 0x14000000) {
        step->flow = word_bits(word, 31, 1) != 0 ? code_calls : code_leaves;
        distance = signed_word_bits(word, 0, 26);
    } else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000) {
        step->flow = code_branches;
        distance = signed_word_bits(word, 5, 19);
    } else if ((word & 0x7e000000) == 0x36000000) {
        step->flow = code_branches;
        distance = signed_word_bits(word, 5, 14);
    } else if ((word & 0xfe000000) == 0xd6000000) {
        step->flow = word_bits(word, 21, 3) == 1 ? code_calls : code_leaves;
    } else if ((word & 0xffe0001f) == 0xd4200000) {
        step->flow = code_leaves; /* brk */
    } else if ((word & 0xff000000) == 0xd4000000) {
        trace_join(trace); /* svc and its kind */
    } else {
        forget_register(trace,
                        word_bits(word, 0, 5)); /* mrs; hints and barriers have the zero register */
    }
    step->has_target = distance != 0;
    step->target = address + distance * SIZE;
}

bool aarch64_step(const uint8_t *bytes, uint32_t count, uint64_t address,
                  struct register_trace *trace, struct code_step *step)
{
    uint32_t word;

    if (count < SIZE)
        return false;
    /* Instructions are little-endian even if data are not. */
    word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
    *step = (struct code_step){.size = SIZE};
    if (word_bits(word, 26, 3) == 5)
        step_branch(trace, word, address, step);
    else if (word_bits(word, 26, 3) == 4 || word_bits(word, 25, 3) == 5)
        step_data(trace, word, address);
    else if (word_bits(word, 27, 1) != 0 && word_bits(word, 25, 1) == 0)
        step_memory(trace, word);
    else if (word_bits(word, 25, 3) == 7)
        forget_register(trace, word_bits(word, 0, 5));
    else
        return false; /* reserved, or of extensions that this library does not know */
    if (step->flow == code_calls)
        trace_call(trace, CHANGED_BY_CALLS);
    return true;
}
