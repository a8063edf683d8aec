/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/machine.h"

/* Numbers of registers in DWARF. */
enum { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r11 = 11, none = TRACE_REGISTERS };

/* Those that functions need not preserve: all but rbx, rbp, rsp and r12 to r15. */
#define CHANGED_BY_CALLS UINT32_C(0x0f37)

/* What an instruction that is not decoded further may write to. */
#define VECTOR_SIZE 64

/* The number in DWARF of the register with that of the encoding. */
static unsigned number_of(uint8_t encoded)
{
    static const uint8_t numbers[] = {rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi};

    if (encoded == X86_NONE)
        return none;
    return encoded < 8 ? numbers[encoded] : encoded;
}

/* An instruction, with where it is. */
struct look {
    const struct x86_instruction *of;
    uint64_t next; /* address of the instruction behind it */
    struct register_trace *trace;
};

static struct trace_operand operand_of(const struct look *look)
{
    const struct x86_instruction *of = look->of;
    uint64_t distance = (uint64_t)of->displacement;
    struct trace_operand operand = {true, trace_constant(distance)};

    if (of->is_relative)
        operand.address.offset += look->next;
    if (of->base != X86_NONE)
        operand = trace_at(look->trace, number_of(of->base), distance);
    operand.is_known = operand.is_known && !of->is_elsewhere;
    return operand;
}

/* How many bytes the operands have; 0: a number that is not followed. */
static uint32_t width_of(const struct look *look)
{
    return look->of->is_64 ? 8 : look->of->is_16 ? 0 : 4;
}

static void forget_reg(const struct look *look)
{
    trace_forget(look->trace, number_of(look->of->reg));
}

/* The operand that may be in memory is changed. */
static void forget_operand(const struct look *look)
{
    struct trace_operand operand;

    if (!look->of->is_memory) {
        trace_forget(look->trace, number_of(look->of->rm));
        return;
    }
    operand = operand_of(look);
    trace_overwrite(look->trace, &operand, VECTOR_SIZE);
}

/* All registers that an instruction names may be changed, and its memory. */
static void forget_all_operands(const struct look *look)
{
    forget_reg(look);
    forget_operand(look);
    trace_forget(look->trace, number_of(look->of->third));
}

static void forget_each(const struct look *look, uint32_t registers)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
        if ((registers >> i & 1) != 0)
            trace_forget(look->trace, i);
    }
}

#define BIT(number) (UINT32_C(1) << (number))

/* ---- Moving values --------------------------------------------------------------------------- */

/* Of VALUE what an operation of WIDTH bytes leaves in a register. */
static struct trace_value part_of(struct trace_value value, uint32_t width)
{
    if (width == 4 && value.origin == 0)
        value.offset &= UINT32_MAX;
    else if (width == 4)
        value.size = 4;
    return value;
}

/* mov from a register or an immediate to the operand that may be in memory. */
static void move_to_operand(const struct look *look, struct trace_value value)
{
    uint32_t width = width_of(look);
    struct trace_operand operand;

    if (width == 0) {
        forget_operand(look);
    } else if (!look->of->is_memory) {
        trace_set(look->trace, number_of(look->of->rm), part_of(value, width));
    } else {
        operand = operand_of(look);
        trace_store(look->trace, &operand, value, width);
    }
}

/* mov from the operand that may be in memory. */
static void move_from_operand(const struct look *look)
{
    uint32_t width = width_of(look);
    struct trace_operand operand;
    struct trace_value value;

    if (width == 0) {
        forget_reg(look);
        return;
    }
    if (look->of->is_memory) {
        operand = operand_of(look);
        value = trace_load(look->trace, &operand, width);
    } else {
        value = look->trace->registers[number_of(look->of->rm)];
    }
    trace_set(look->trace, number_of(look->of->reg), part_of(value, width));
}

static void load_address(const struct look *look)
{
    struct trace_operand operand = operand_of(look);

    if (operand.is_known && look->of->is_64)
        trace_set(look->trace, number_of(look->of->reg), operand.address);
    else
        forget_reg(look);
}

/* Register NUMBER grows by DISTANCE. */
static void add(const struct look *look, unsigned number, int64_t distance)
{
    struct trace_value value = look->trace->registers[number];

    value.offset += (uint64_t)distance;
    if (value.size == sizeof(uint64_t))
        trace_set(look->trace, number, value);
    else
        trace_forget(look->trace, number);
}

static void push(const struct look *look, struct trace_value value)
{
    struct trace_operand top;

    add(look, rsp, -8);
    top = trace_at(look->trace, rsp, 0);
    trace_store(look->trace, &top, value, 8);
}

/* What is saved on the stack is restored. */
static void pop(const struct look *look, unsigned number)
{
    struct trace_operand top = trace_at(look->trace, rsp, 0);
    struct trace_value value = trace_load(look->trace, &top, 8);

    trace_restore(look->trace, number);
    if (number < TRACE_REGISTERS)
        look->trace->registers[number] = value;
    if (number != rsp)
        add(look, rsp, 8);
}

static void leave(const struct look *look)
{
    look->trace->registers[rsp] = look->trace->registers[rbp];
    pop(look, rbp);
}

/* ---- Opcodes of one byte --------------------------------------------------------------------- */

/* add, or, adc, sbb, and, sub, xor, cmp in their six forms each. */
static void look_at_arithmetic(const struct look *look)
{
    const struct x86_instruction *of = look->of;
    uint8_t operation = of->opcode >> 3;
    bool is_of_itself =
        of->has_modrm && !of->is_memory && of->reg == of->rm && !of->is_16 && (of->opcode & 1) != 0;

    if (operation == 7)
        return;
    if (is_of_itself && (operation == 6 || operation == 5))
        trace_set(look->trace, number_of(of->reg), trace_constant(0));
    else if ((of->opcode & 7) < 2)
        forget_operand(look);
    else if ((of->opcode & 7) < 4)
        forget_reg(look);
    else
        trace_forget(look->trace, rax);
}

/* The same with an immediate: the selector chooses. */
static void look_at_immediate(const struct look *look)
{
    const struct x86_instruction *of = look->of;
    bool is_adding = of->selector == 0 || of->selector == 5;

    if (of->selector == 7)
        return;
    if (is_adding && of->is_64 && !of->is_memory && of->opcode != 0x80)
        add(look, number_of(of->rm), of->selector == 0 ? of->immediate : -of->immediate);
    else
        forget_operand(look);
}

/* test, not, neg, mul, imul, div, idiv. */
static void look_at_unary(const struct look *look)
{
    if (look->of->selector > 3)
        forget_each(look, BIT(rax) | BIT(rdx));
    else if (look->of->selector > 1)
        forget_operand(look);
}

/* inc, dec, call, jmp and push of an operand. */
static void look_at_last(const struct look *look)
{
    struct trace_operand operand = operand_of(look);

    if (look->of->selector < 2)
        forget_operand(look);
    else if (look->of->selector == 6)
        push(look, look->of->is_memory ? trace_load(look->trace, &operand, 8)
                                       : look->trace->registers[number_of(look->of->rm)]);
}

/* Opcodes from 80 on that are not above. */
static void look_at_high(const struct look *look)
{
    const struct x86_instruction *of = look->of;

    switch (of->opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
        look_at_immediate(look);
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
        move_to_operand(look, look->trace->registers[number_of(of->reg)]);
        break;
    case 0x8b:
        move_from_operand(look);
        break;
    case 0x8d:
        load_address(look);
        break;
    case 0x90:
        if (of->rm != 0)
            forget_each(look, BIT(rax) | BIT(number_of(of->rm)));
        break;
    case 0x98:
        trace_forget(look->trace, rax);
        break;
    case 0x99:
        trace_forget(look->trace, rdx);
        break;
    case 0xc7:
        move_to_operand(look, trace_constant((uint64_t)of->immediate));
        break;
    case 0xc9:
        leave(look);
        break;
    case 0xf6:
    case 0xf7:
        look_at_unary(look);
        break;
    case 0xff:
        look_at_last(look);
        break;
    default:
        if (of->opcode >= 0xb8 && of->opcode <= 0xbf)
            trace_set(look->trace, number_of(of->rm),
                      part_of(trace_constant((uint64_t)of->immediate), width_of(look)));
        else if (of->opcode >= 0xb0 && of->opcode <= 0xb7)
            forget_operand(look);
        else if (of->has_modrm)
            forget_all_operands(look);
        else
            trace_join(look->trace);
        break;
    }
}

static void look_at_one_byte(const struct look *look)
{
    const struct x86_instruction *of = look->of;

    if (of->opcode < 0x40)
        look_at_arithmetic(look);
    else if (of->opcode < 0x58)
        push(look, look->trace->registers[number_of(of->rm)]);
    else if (of->opcode < 0x60)
        pop(look, number_of(of->rm));
    else if (of->opcode == 0x68 || of->opcode == 0x6a)
        push(look, trace_constant((uint64_t)of->immediate));
    else if (of->opcode == 0x63 || of->opcode == 0x69 || of->opcode == 0x6b)
        forget_reg(look);
    else
        look_at_high(look);
}

/* ---- Opcodes that begin with 0f -------------------------------------------------------------- */

/* Tell whether the registers that OPCODE names are of vectors. */
static bool is_of_vectors(uint8_t opcode)
{
    return (opcode >= 0x10 && opcode <= 0x17) ||
           (opcode >= 0x28 && opcode <= 0x2f && opcode != 0x2c && opcode != 0x2d) ||
           (opcode >= 0x51 && opcode <= 0x77) ||
           (opcode >= 0x7c && opcode <= 0x7f && opcode != 0x7e) || opcode == 0xc2 ||
           opcode == 0xc6 || (opcode >= 0xd0 && opcode != 0xd7 && opcode != 0xff);
}

/* Tell whether OPCODE, of vectors, writes to memory. */
static bool is_store_of_vector(uint8_t opcode)
{
    return opcode == 0x11 || opcode == 0x13 || opcode == 0x17 || opcode == 0x29 || opcode == 0x2b ||
           opcode == 0x7f || opcode == 0xd6 || opcode == 0xe7;
}

static void look_at_0f(const struct look *look)
{
    const struct x86_instruction *of = look->of;
    uint8_t opcode = of->opcode;

    if (is_of_vectors(opcode)) {
        if (of->is_memory && is_store_of_vector(opcode))
            forget_operand(look);
        return;
    }
    /* Hints, bt, ud2 and jumps change nothing; endbr64 is among the hints. */
    if (opcode == 0x0d ||
        (opcode >= 0x18 && opcode <= 0x1f && !(of->is_repeated && of->selector == 1)) ||
        opcode == 0xa3 || (opcode == 0xba && of->selector == 4) || opcode == 0x0b ||
        (opcode >= 0x80 && opcode <= 0x8f))
        return;
    if ((opcode >= 0x40 && opcode <= 0x4f) || opcode == 0xaf || opcode == 0xb6 || opcode == 0xb7 ||
        opcode == 0xbe || opcode == 0xbf)
        forget_reg(look);
    else if (opcode >= 0x90 && opcode <= 0x9f)
        forget_operand(look);
    else if (opcode >= 0xc8 && opcode <= 0xcf)
        trace_forget(look->trace, number_of(of->rm));
    else if (opcode == 0xa2)
        forget_each(look, BIT(rax) | BIT(rbx) | BIT(rcx) | BIT(rdx));
    else if (opcode == 0x31)
        forget_each(look, BIT(rax) | BIT(rdx));
    else if (of->has_modrm && opcode >= 0xa3) {
        forget_all_operands(look);
        /* cmpxchg and its kind. */
        if (opcode == 0xb0 || opcode == 0xb1 || opcode == 0xc7)
            forget_each(look, BIT(rax) | BIT(rdx));
    } else {
        trace_join(look->trace);
    }
}

/* ---- Where it goes on ------------------------------------------------------------------------ */

/* Set *STEP to where the instruction goes on. */
static void follow_flow(const struct look *look, struct code_step *step)
{
    const struct x86_instruction *of = look->of;
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
        step->target = look->next + (uint64_t)of->immediate;
}

bool x86_step(const uint8_t *bytes, uint32_t count, uint64_t address, struct register_trace *trace,
              struct code_step *step)
{
    struct x86_instruction instruction;
    struct look look = {&instruction, 0, trace};

    if (!x86_decode(bytes, count, &instruction))
        return false;
    look.next = address + instruction.size;
    *step = (struct code_step){.size = instruction.size};
    follow_flow(&look, step);
    if (step->flow == code_calls)
        trace_call(trace, CHANGED_BY_CALLS);
    else if (step->flow != code_goes_on)
        return true;
    else if (instruction.is_vector && instruction.map == x86_0f &&
             is_of_vectors(instruction.opcode))
        look_at_0f(&look);
    else if (instruction.is_vector || instruction.map > x86_0f)
        forget_all_operands(&look);
    else if (instruction.map == x86_0f)
        look_at_0f(&look);
    else
        look_at_one_byte(&look);
    return true;
}
