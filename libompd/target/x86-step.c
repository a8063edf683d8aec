/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* x86-64 instructions that move values. */
#include "target/machine.h"

/* Numbers of registers in DWARF. */
enum { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r11 = 11, none = TRACE_REGISTERS };

/* Those that functions need not preserve: all but rbx, rbp, rsp and r12 to r15. */
#define CHANGED_BY_CALLS UINT32_C(0x0f37)

/* The most that an instruction which is not decoded further may write to. */
#define VECTOR_SIZE 64

/* The number in DWARF of the register with that of the encoding. */
static unsigned dwarf_number(uint8_t encoded)
{
    static const uint8_t numbers[] = {rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi};

    if (encoded == X86_NONE)
        return none;
    return encoded < 8 ? numbers[encoded] : encoded;
}

/* An instruction, with where it is. */
struct context {
    const struct x86_instruction *of;
    uint64_t next; /* address of the next instruction */
    struct register_trace *trace;
};

static struct trace_operand memory_operand(const struct context *context)
{
    const struct x86_instruction *of = context->of;
    uint64_t distance = (uint64_t)of->displacement;
    struct trace_operand operand = {true, trace_constant(distance)};

    if (of->is_relative)
        operand.address.offset += context->next;
    if (of->base != X86_NONE)
        operand = trace_at(context->trace, dwarf_number(of->base), distance);
    operand.is_known = operand.is_known && !of->is_elsewhere;
    return operand;
}

/* How many bytes the operands have; 0: a number that is not followed. */
static uint32_t operand_width(const struct context *context)
{
    return context->of->is_64 ? 8 : context->of->is_16 ? 0 : 4;
}

static void forget_reg(const struct context *context)
{
    trace_forget(context->trace, dwarf_number(context->of->reg));
}

/* The operand that may be in memory is changed. */
static void forget_operand(const struct context *context)
{
    struct trace_operand operand;

    if (!context->of->is_memory) {
        trace_forget(context->trace, dwarf_number(context->of->rm));
        return;
    }
    operand = memory_operand(context);
    trace_overwrite(context->trace, &operand, VECTOR_SIZE);
}

/* All registers that an instruction names may be changed, and its memory. */
static void forget_all_operands(const struct context *context)
{
    forget_reg(context);
    forget_operand(context);
    trace_forget(context->trace, dwarf_number(context->of->third));
}

static void forget_each(const struct context *context, uint32_t registers)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
        if ((registers >> i & 1) != 0)
            trace_forget(context->trace, i);
    }
}

#define BIT(number) (UINT32_C(1) << (number))

/* ---- Moving values --------------------------------------------------------------------------- */

/* The part of VALUE that an operation of WIDTH bytes leaves in a register. */
static struct trace_value value_part(struct trace_value value, uint32_t width)
{
    if (width == 4 && value.origin == 0)
        value.offset &= UINT32_MAX;
    else if (width == 4)
        value.size = 4;
    return value;
}

/* mov from a register or an immediate to the operand that may be in memory. */
static void move_to_operand(const struct context *context, struct trace_value value)
{
    uint32_t width = operand_width(context);
    struct trace_operand operand;

    if (width == 0) {
        forget_operand(context);
    } else if (!context->of->is_memory) {
        trace_set(context->trace, dwarf_number(context->of->rm), value_part(value, width));
    } else {
        operand = memory_operand(context);
        trace_store(context->trace, &operand, value, width);
    }
}

/* mov from the operand that may be in memory. */
static void move_from_operand(const struct context *context)
{
    uint32_t width = operand_width(context);
    struct trace_operand operand;
    struct trace_value value;

    if (width == 0) {
        forget_reg(context);
        return;
    }
    if (context->of->is_memory) {
        operand = memory_operand(context);
        value = trace_load(context->trace, &operand, width);
    } else {
        value = context->trace->registers[dwarf_number(context->of->rm)];
    }
    trace_set(context->trace, dwarf_number(context->of->reg), value_part(value, width));
}

static void load_address(const struct context *context)
{
    struct trace_operand operand = memory_operand(context);

    if (operand.is_known && context->of->is_64)
        trace_set(context->trace, dwarf_number(context->of->reg), operand.address);
    else
        forget_reg(context);
}

/* Register NUMBER grows by DISTANCE. */
static void add_to_register(const struct context *context, unsigned number, int64_t distance)
{
    struct trace_value value = context->trace->registers[number];

    value.offset += (uint64_t)distance;
    if (value.size == sizeof(uint64_t))
        trace_set(context->trace, number, value);
    else
        trace_forget(context->trace, number);
}

static void push_register(const struct context *context, struct trace_value value)
{
    struct trace_operand top;

    add_to_register(context, rsp, -8);
    top = trace_at(context->trace, rsp, 0);
    trace_store(context->trace, &top, value, 8);
}

/* A register popped from the stack was saved there. */
static void pop_register(const struct context *context, unsigned number)
{
    struct trace_operand top = trace_at(context->trace, rsp, 0);
    struct trace_value value = trace_load(context->trace, &top, 8);

    trace_restore(context->trace, number);
    if (number < TRACE_REGISTERS)
        context->trace->registers[number] = value;
    if (number != rsp)
        add_to_register(context, rsp, 8);
}

static void step_leave(const struct context *context)
{
    context->trace->registers[rsp] = context->trace->registers[rbp];
    pop_register(context, rbp);
}

/* ---- Opcodes of one byte --------------------------------------------------------------------- */

/* add, or, adc, sbb, and, sub, xor, cmp in their six forms each. */
static void step_arithmetic(const struct context *context)
{
    const struct x86_instruction *of = context->of;
    uint8_t operation = of->opcode >> 3;
    bool is_of_itself =
        of->has_modrm && !of->is_memory && of->reg == of->rm && !of->is_16 && (of->opcode & 1) != 0;

    if (operation == 7)
        return;
    if (is_of_itself && (operation == 6 || operation == 5))
        trace_set(context->trace, dwarf_number(of->reg), trace_constant(0));
    else if ((of->opcode & 7) < 2)
        forget_operand(context);
    else if ((of->opcode & 7) < 4)
        forget_reg(context);
    else
        trace_forget(context->trace, rax);
}

/* The same with an immediate: the selector chooses. */
static void step_arithmetic_immediate(const struct context *context)
{
    const struct x86_instruction *of = context->of;
    bool is_adding = of->selector == 0 || of->selector == 5;

    if (of->selector == 7)
        return;
    if (is_adding && of->is_64 && !of->is_memory && of->opcode != 0x80)
        add_to_register(context, dwarf_number(of->rm),
                        of->selector == 0 ? of->immediate : -of->immediate);
    else
        forget_operand(context);
}

/* test, not, neg, mul, imul, div, idiv. */
static void step_unary(const struct context *context)
{
    if (context->of->selector > 3)
        forget_each(context, BIT(rax) | BIT(rdx));
    else if (context->of->selector > 1)
        forget_operand(context);
}

/* inc, dec, call, jmp and push of an operand. */
static void step_group_5(const struct context *context)
{
    struct trace_operand operand = memory_operand(context);

    if (context->of->selector < 2)
        forget_operand(context);
    else if (context->of->selector == 6)
        push_register(context, context->of->is_memory
                                   ? trace_load(context->trace, &operand, 8)
                                   : context->trace->registers[dwarf_number(context->of->rm)]);
}

/* Opcodes from 80 on that are not above. */
static void step_high(const struct context *context)
{
    const struct x86_instruction *of = context->of;

    switch (of->opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
        step_arithmetic_immediate(context);
        break;
    case 0x84:
    case 0x85:
    case 0x9b:
    case 0xa8:
    case 0xa9:
    case 0xf5:
    case 0xf8:
    case 0xf9:
    case 0xfa:
    case 0xfb:
    case 0xfc:
    case 0xfd:
        break;
    case 0x89:
        move_to_operand(context, context->trace->registers[dwarf_number(of->reg)]);
        break;
    case 0x8b:
        move_from_operand(context);
        break;
    case 0x8d:
        load_address(context);
        break;
    case 0x90:
        if (of->rm != 0)
            forget_each(context, BIT(rax) | BIT(dwarf_number(of->rm)));
        break;
    case 0x98:
        trace_forget(context->trace, rax);
        break;
    case 0x99:
        trace_forget(context->trace, rdx);
        break;
    case 0xc7:
        move_to_operand(context, trace_constant((uint64_t)of->immediate));
        break;
    case 0xc9:
        step_leave(context);
        break;
    case 0xf6:
    case 0xf7:
        step_unary(context);
        break;
    case 0xff:
        step_group_5(context);
        break;
    default:
        if (of->opcode >= 0xb8 && of->opcode <= 0xbf)
            trace_set(context->trace, dwarf_number(of->rm),
                      value_part(trace_constant((uint64_t)of->immediate), operand_width(context)));
        else if (of->opcode >= 0xb0 && of->opcode <= 0xb7)
            forget_operand(context);
        else if (of->has_modrm)
            forget_all_operands(context);
        else
            trace_join(context->trace);
        break;
    }
}

static void step_one_byte(const struct context *context)
{
    const struct x86_instruction *of = context->of;

    if (of->opcode < 0x40)
        step_arithmetic(context);
    else if (of->opcode < 0x58)
        push_register(context, context->trace->registers[dwarf_number(of->rm)]);
    else if (of->opcode < 0x60)
        pop_register(context, dwarf_number(of->rm));
    else if (of->opcode == 0x68 || of->opcode == 0x6a)
        push_register(context, trace_constant((uint64_t)of->immediate));
    else if (of->opcode == 0x63 || of->opcode == 0x69 || of->opcode == 0x6b)
        forget_reg(context);
    else
        step_high(context);
}

/* ---- Opcodes that begin with 0f -------------------------------------------------------------- */

/* Whether the registers of OPCODE are vector registers. */
static bool is_of_vectors(uint8_t opcode)
{
    return (opcode >= 0x10 && opcode <= 0x17) ||
           (opcode >= 0x28 && opcode <= 0x2f && opcode != 0x2c && opcode != 0x2d) ||
           (opcode >= 0x51 && opcode <= 0x77) ||
           (opcode >= 0x7c && opcode <= 0x7f && opcode != 0x7e) || opcode == 0xc2 ||
           opcode == 0xc6 || (opcode >= 0xd0 && opcode != 0xd7 && opcode != 0xff);
}

/* Return whether OPCODE, of vectors, writes to memory. */
static bool is_store_of_vector(uint8_t opcode)
{
    return opcode == 0x11 || opcode == 0x13 || opcode == 0x17 || opcode == 0x29 || opcode == 0x2b ||
           opcode == 0x7f || opcode == 0xd6 || opcode == 0xe7;
}

static void step_0f(const struct context *context)
{
    const struct x86_instruction *of = context->of;
    uint8_t opcode = of->opcode;

    if (is_of_vectors(opcode)) {
        if (of->is_memory && is_store_of_vector(opcode))
            forget_operand(context);
        return;
    }
    /* Hints, bt, ud2 and jumps change nothing; endbr64 is a hint. */
    if (opcode == 0x0d ||
        (opcode >= 0x18 && opcode <= 0x1f && !(of->is_repeated && of->selector == 1)) ||
        opcode == 0xa3 || (opcode == 0xba && of->selector == 4) || opcode == 0x0b ||
        (opcode >= 0x80 && opcode <= 0x8f))
        return;
    if ((opcode >= 0x40 && opcode <= 0x4f) || opcode == 0xaf || opcode == 0xb6 || opcode == 0xb7 ||
        opcode == 0xbe || opcode == 0xbf)
        forget_reg(context);
    else if (opcode >= 0x90 && opcode <= 0x9f)
        forget_operand(context);
    else if (opcode >= 0xc8 && opcode <= 0xcf)
        trace_forget(context->trace, dwarf_number(of->rm));
    else if (opcode == 0xa2)
        forget_each(context, BIT(rax) | BIT(rbx) | BIT(rcx) | BIT(rdx));
    else if (opcode == 0x31)
        forget_each(context, BIT(rax) | BIT(rdx));
    else if (of->has_modrm && opcode >= 0xa3) {
        forget_all_operands(context);
        /* cmpxchg and its kind. */
        if (opcode == 0xb0 || opcode == 0xb1 || opcode == 0xc7)
            forget_each(context, BIT(rax) | BIT(rdx));
    } else {
        trace_join(context->trace);
    }
}

/* ---- Successors ------------------------------------------------------------------------------ */

/* Set *STEP to the next instruction. */
static void follow_flow(const struct context *context, struct code_step *step)
{
    const struct x86_instruction *of = context->of;
    uint8_t opcode = of->opcode;
    bool is_far_jump = of->map == x86_0f && opcode >= 0x80 && opcode <= 0x8f;

    if (of->is_vector || of->map > x86_0f)
        return;
    if (of->map == x86_0f && (opcode == 0x0b || opcode == 0xb9 || opcode == 0xff))
        step->flow = code_leaves;
    if (is_far_jump || (of->map == x86_one_byte && ((opcode >= 0x70 && opcode <= 0x7f) ||
                                                    (opcode >= 0xe0 && opcode <= 0xe3)))) {
        step->flow = code_branches;
        step->has_target = true;
    } else if (of->map == x86_one_byte) {
        if (opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb) {
            step->flow = opcode == 0xe8 ? code_calls : code_leaves;
            step->has_target = true;
        } else if (opcode == 0xff && (of->selector == 2 || of->selector == 3)) {
            step->flow = code_calls;
        } else if ((opcode == 0xff && (of->selector == 4 || of->selector == 5)) || opcode == 0xc2 ||
                   opcode == 0xc3 || opcode == 0xca || opcode == 0xcb || opcode == 0xcc ||
                   opcode == 0xf4) {
            step->flow = code_leaves;
        }
    }
    if (step->has_target)
        step->target = context->next + (uint64_t)of->immediate;
}

bool x86_step(const uint8_t *bytes, uint32_t count, uint64_t address, struct register_trace *trace,
              struct code_step *step)
{
    struct x86_instruction instruction;
    struct context context = {&instruction, 0, trace};

    if (!x86_decode(bytes, count, &instruction))
        return false;
    context.next = address + instruction.size;
    *step = (struct code_step){.size = instruction.size};
    follow_flow(&context, step);
    if (step->flow == code_calls)
        trace_call(trace, CHANGED_BY_CALLS);
    else if (step->flow != code_goes_on)
        return true;
    else if (instruction.is_vector && instruction.map == x86_0f &&
             is_of_vectors(instruction.opcode))
        step_0f(&context);
    else if (instruction.is_vector || instruction.map > x86_0f)
        forget_all_operands(&context);
    else if (instruction.map == x86_0f)
        step_0f(&context);
    else
        step_one_byte(&context);
    return true;
}
