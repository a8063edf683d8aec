/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decodes x86-64 instructions: their length and their operands (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, chapter 2 and appendix A). */
#include "target/machine.h"

#include <string.h>

/*
 * What follows each opcode: ' ' nothing; m an operand (ModRM); b, w, e an immediate of one, two or
 * three bytes; z one of the operands' size, but for 64 bits of four bytes; v one of that size; B, Z
 * an operand and then b or z; j, J a distance of one or four bytes; o an address; t, T an operand
 * and for some selectors b or z; x: there is no such instruction in 64-bit mode.
 */
static const char after_one_byte[] = "mmmmbzxxmmmmbzxx"
                                     "mmmmbzxxmmmmbzxx"
                                     "mmmmbzxxmmmmbzxx"
                                     "mmmmbzxxmmmmbzxx"
                                     "xxxxxxxxxxxxxxxx"
                                     "                "
                                     "xxxmxxxxzZbB    "
                                     "jjjjjjjjjjjjjjjj"
                                     "BZxBmmmmmmmmmmmm"
                                     "          x     "
                                     "oooo    bz      "
                                     "bbbbbbbbvvvvvvvv"
                                     "BBw xxBZe w  bx "
                                     "mmmmxxx mmmmmmmm"
                                     "jjjjbbbbJJxj    "
                                     "x xx  tT      mm";
static const char after_0f[] = "mmmmx     x xm B"
                               "mmmmmmmmmmmmmmmm"
                               "mmmmxxxxmmmmmmmm"
                               "      x xxxxxxxx"
                               "mmmmmmmmmmmmmmmm"
                               "mmmmmmmmmmmmmmmm"
                               "mmmmmmmmmmmmmmmm"
                               "BBBBmmm mmmmmmmm"
                               "JJJJJJJJJJJJJJJJ"
                               "mmmmmmmmmmmmmmmm"
                               "   mBmxx   mBmmm"
                               "mmmmmmmmmmBmmmmm"
                               "mmBmBBBm        "
                               "mmmmmmmmmmmmmmmm"
                               "mmmmmmmmmmmmmmmm"
                               "mmmmmmmmmmmmmmmm";

/* The bytes of an instruction, and the number decoded. */
struct reading {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t place;
    bool is_short;         /* the bytes were not enough */
    bool is_address_32;    /* prefix 67 */
    bool is_of_segment;    /* prefix of another segment that is not at 0 */
    uint8_t rex;           /* its bits W, R, X and B */
    uint8_t vector_fields; /* of VEX or EVEX: the further register */
};

static uint8_t next_byte(struct reading *reading)
{
    if (reading->place == reading->count) {
        reading->is_short = true;
        return 0;
    }
    return reading->bytes[reading->place++];
}

/* A number of SIZE bytes, with its sign. */
static int64_t next_number(struct reading *reading, unsigned size)
{
    uint64_t number = 0;
    uint64_t sign = UINT64_C(1) << (size * 8 - 1);

    for (unsigned i = 0; i < size; i++)
        number |= (uint64_t)next_byte(reading) << i * 8;
    return (int64_t)((number ^ sign) - sign);
}

/* ---- Prefixes -------------------------------------------------------------------------------- */

/* Read the prefixes; returns the byte behind them. */
static uint8_t read_prefixes(struct reading *reading, struct x86_instruction *instruction)
{
    for (;;) {
        uint8_t byte = next_byte(reading);

        switch (byte) {
        case 0x66:
            instruction->is_16 = true;
            break;
        case 0x67:
            reading->is_address_32 = true;
            break;
        case 0x64:
        case 0x65:
            reading->is_of_segment = true;
            break;
        case 0xf3:
            instruction->is_repeated = true;
            break;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0xf0:
        case 0xf2:
            break;
        default:
            if ((byte & 0xf0) != 0x40)
                return byte;
            /* It counts as REX only just before the opcode. */
            reading->rex = byte & 15;
            instruction->is_64 = (byte & 8) != 0;
            return next_byte(reading);
        }
    }
}

/* Read the rest of the VEX or EVEX prefix that begins with FIRST: the map, and the inverted bits of
 * REX. Returns false if it is neither. */
static bool read_vector_prefix(struct reading *reading, uint8_t first,
                               struct x86_instruction *instruction)
{
    uint8_t fields = next_byte(reading);
    uint8_t map = 1;

    instruction->is_vector = true;
    reading->rex = (uint8_t)(~fields >> 5 & 4);
    reading->vector_fields = fields;
    if (first != 0xc5) {
        map = fields & (first == 0x62 ? 7 : 31);
        reading->rex = (uint8_t)(~fields >> 5 & 7);
        reading->vector_fields = next_byte(reading);
        instruction->is_64 = (reading->vector_fields & 0x80) != 0;
    }
    if (first == 0x62)
        next_byte(reading);
    instruction->third = ~reading->vector_fields >> 3 & 15;
    instruction->map = map < x86_other ? map : x86_other;
    instruction->opcode = next_byte(reading);
    return map != 0 && (map < 4 || map == 5 || map == 6);
}

static bool read_opcode(struct reading *reading, struct x86_instruction *instruction)
{
    uint8_t byte = read_prefixes(reading, instruction);

    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
        return read_vector_prefix(reading, byte, instruction);
    if (byte == 0x0f) {
        byte = next_byte(reading);
        instruction->map = byte == 0x38 ? x86_0f38 : byte == 0x3a ? x86_0f3a : x86_0f;
        if (instruction->map != x86_0f)
            byte = next_byte(reading);
    }
    instruction->opcode = byte;
    return true;
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* Read the memory operand with MODE and LOW of ModRM. */
static void read_address(struct reading *reading, uint8_t mode, uint8_t low,
                         struct x86_instruction *instruction)
{
    uint8_t base = low;
    uint8_t sib = 0;

    instruction->is_memory = true;
    instruction->is_elsewhere = reading->is_address_32 || reading->is_of_segment;
    if (low == 4) {
        sib = next_byte(reading);
        base = sib & 7;
        /* Number 4 means no index. */
        instruction->is_elsewhere |= (sib >> 3 & 7) != 4 || (reading->rex & 2) != 0;
    }
    instruction->base = (uint8_t)(base | (reading->rex & 1) << 3);
    if (mode == 0 && base == 5) {
        instruction->base = X86_NONE;
        instruction->is_relative = low == 5;
        instruction->displacement = next_number(reading, 4);
    } else if (mode == 1) {
        instruction->displacement = next_number(reading, 1);
        /* By EVEX it is counted in units that depend on the instruction. */
        instruction->is_elsewhere |= instruction->is_vector;
    } else if (mode == 2) {
        instruction->displacement = next_number(reading, 4);
    }
}

static void read_modrm(struct reading *reading, struct x86_instruction *instruction)
{
    uint8_t modrm = next_byte(reading);

    instruction->has_modrm = true;
    instruction->selector = modrm >> 3 & 7;
    instruction->reg = (uint8_t)(instruction->selector | (reading->rex & 4) << 1);
    instruction->rm = (uint8_t)((modrm & 7) | (reading->rex & 1) << 3);
    if (modrm >> 6 != 3)
        read_address(reading, modrm >> 6, modrm & 7, instruction);
}

/* The class of the opcode: see after_one_byte. */
static char what_follows(const struct x86_instruction *instruction)
{
    switch (instruction->map) {
    case x86_one_byte:
        return after_one_byte[instruction->opcode];
    case x86_0f:
        return after_0f[instruction->opcode];
    case x86_0f3a:
        return 'B';
    default:
        return 'm';
    }
}

/* The number of bytes of the immediate behind the operand, by WHAT. */
static unsigned size_of_immediate(const struct reading *reading,
                                  const struct x86_instruction *instruction, char what)
{
    unsigned of_operands = instruction->is_16 && !instruction->is_64 ? 2 : 4;

    switch (what) {
    case 'b':
    case 'B':
    case 'j':
        return 1;
    case 'w':
        return 2;
    case 'e':
        return 3;
    case 'J':
        return 4;
    case 'z':
    case 'Z':
        return of_operands;
    case 'v':
        return instruction->is_64 ? 8 : of_operands;
    case 'o':
        return reading->is_address_32 ? 4 : 8;
    case 't':
        return instruction->selector < 2 ? 1 : 0;
    case 'T':
        return instruction->selector < 2 ? of_operands : 0;
    default:
        return 0;
    }
}

bool x86_decode(const uint8_t *bytes, uint32_t count, struct x86_instruction *instruction)
{
    struct reading reading = {.bytes = bytes, .count = count < X86_LONGEST ? count : X86_LONGEST};
    unsigned size;
    char what;

    memset(instruction, 0, sizeof(*instruction));
    instruction->base = X86_NONE;
    instruction->third = X86_NONE;
    if (!read_opcode(&reading, instruction))
        return false;
    what = what_follows(instruction);
    if (what == 'x')
        return false;
    instruction->rm = (uint8_t)((instruction->opcode & 7) | (reading.rex & 1) << 3);
    if (what == 'm' || what == 'B' || what == 'Z' || what == 't' || what == 'T')
        read_modrm(&reading, instruction);
    size = size_of_immediate(&reading, instruction, what);
    if (size != 0)
        instruction->immediate = next_number(&reading, size);
    instruction->size = (uint8_t)reading.place;
    return !reading.is_short;
}
