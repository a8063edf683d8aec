/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The function that a thread has called, by the machine code in front of its return address. */
#include "sources/stack/stack.h"

#include <string.h>

/* Numbers of machines in ELF. */
#define MACHINE_I386 3
#define MACHINE_X86_64 62
#define MACHINE_AARCH64 183

#define LONGEST_CALL 6     /* bytes, of the calls that are known */
#define INSTRUCTION_SIZE 4 /* on AArch64 */

/* Extend NUMBER from BITS bits, the highest being its sign. */
static uint64_t sign_extend(uint64_t number, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);

    return ((number & ((sign << 1) - 1)) ^ sign) - sign;
}

/* ---- i386 and x86-64 ------------------------------------------------------------------------- */

/* The four bytes at ADDRESS, a displacement, in *VALUE. */
static bool read_displacement(struct target *target, uint64_t address, uint64_t *value)
{
    const uint8_t *bytes;

    if (target_view(target, address, 4, 0, &bytes) != ompd_rc_ok)
        return false;
    *value = sign_extend(target_integer(target, bytes, 4), 32);
    return true;
}

static bool has_bytes(struct target *target, uint64_t address, const char *expected, size_t size)
{
    const uint8_t *bytes;

    return target_view(target, address, size, 0, &bytes) == ompd_rc_ok &&
           memcmp(bytes, expected, size) == 0;
}

/* Read the memory operand at ADDRESS, at the end of an instruction: an address or a distance from
 * BASE on i386, and a distance from the next instruction on x86-64. */
static bool follow_operand(struct target *target, uint32_t machine, uint64_t address, uint64_t base,
                           uint64_t *function)
{
    uint64_t slot;

    if (!read_displacement(target, address, &slot))
        return false;
    slot = machine == MACHINE_I386 ? (base + slot) & UINT32_MAX : slot + address + 4;
    return target_word(target, slot, function);
}

/* Return whether the instruction at ADDRESS goes through memory: its opcode ff and a byte,
 * ABSOLUTE, or on i386, where TABLE is known, RELATIVE to that; *BASE gets 0 or TABLE. */
static bool is_through_memory(struct target *target, uint32_t machine, uint64_t address,
                              uint64_t table, const char absolute[2], const char relative[2],
                              uint64_t *base)
{
    bool has_table = machine == MACHINE_I386 && table != 0;

    *base = has_table && has_bytes(target, address, relative, 2) ? table : 0;
    return *base != 0 || has_bytes(target, address, absolute, 2);
}

/* If *FUNCTION is an entry of the procedure linkage table, replace it by the target of its jump:
 * [endbr] [bnd] jmp *operand. */
static void follow_x86_entry(struct target *target, uint32_t machine, uint64_t table,
                             uint64_t *function)
{
    uint64_t place = *function;
    uint64_t base;
    uint64_t found;

    if (has_bytes(target, place, "\xf3\x0f\x1e\xfa", 4) ||
        has_bytes(target, place, "\xf3\x0f\x1e\xfb", 4))
        place += 4;
    if (has_bytes(target, place, "\xf2", 1))
        place += 1;
    if (is_through_memory(target, machine, place, table, "\xff\x25", "\xff\xa3", &base) &&
        follow_operand(target, machine, place + 2, base, &found))
        *function = found;
}

/* call rel32, or call *operand. */
static bool find_x86_call(struct target *target, uint32_t machine, uint64_t address, uint64_t table,
                          uint64_t *function)
{
    uint64_t distance;
    uint64_t base;

    if (is_through_memory(target, machine, address - 6, table, "\xff\x15", "\xff\x93", &base))
        return follow_operand(target, machine, address - 4, base, function);
    if (!has_bytes(target, address - 5, "\xe8", 1) ||
        !read_displacement(target, address - 4, &distance))
        return false;
    *function = address + distance;
    if (machine == MACHINE_I386)
        *function &= UINT32_MAX;
    follow_x86_entry(target, machine, table, function);
    return true;
}

/* ---- AArch64 --------------------------------------------------------------------------------- */

/* Read the instruction at ADDRESS. Instructions are little-endian even if data are not. */
static bool read_instruction(struct target *target, uint64_t address, uint32_t *instruction)
{
    const uint8_t *bytes;

    if (target_view(target, address, INSTRUCTION_SIZE, 0, &bytes) != ompd_rc_ok)
        return false;
    *instruction = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
    return true;
}

/* If *FUNCTION is an entry of the procedure linkage table, replace it by the target of its jump:
 * [bti c]; adrp x16, PAGE; ldr x17, [x16, #OFFSET]; ... */
static void follow_aarch64_entry(struct target *target, uint64_t *function)
{
    uint64_t place = *function;
    uint32_t page = 0;
    uint32_t load = 0;
    uint64_t slot;
    uint64_t found;

    if (read_instruction(target, place, &page) && page == 0xd503245f)
        place += INSTRUCTION_SIZE;
    if (!read_instruction(target, place, &page) || (page & 0x9f00001f) != 0x90000010 ||
        !read_instruction(target, place + INSTRUCTION_SIZE, &load) ||
        (load & 0xffc003ff) != 0xf9400211)
        return;
    slot = (place & ~UINT64_C(0xfff)) +
           (sign_extend((page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3), 21) << 12) +
           ((load >> 10 & 0xfff) << 3);
    if (target_word(target, slot, &found))
        *function = found;
}

/* bl imm26. */
static bool find_aarch64_call(struct target *target, uint64_t address, uint64_t *function)
{
    uint64_t place = address - INSTRUCTION_SIZE;
    uint32_t call;

    if (!read_instruction(target, place, &call) || (call & 0xfc000000) != 0x94000000)
        return false;
    *function = place + (sign_extend(call & 0x3ffffff, 26) << 2);
    follow_aarch64_entry(target, function);
    return true;
}

/* ---- Any machine ----------------------------------------------------------------------------- */

ompd_rc_t call_site_find(struct target *target, uint32_t machine, uint64_t address, uint64_t table,
                         uint64_t *function)
{
    const uint8_t *bytes;
    bool is_known = false;
    ompd_rc_t rc = target_view(target, address - LONGEST_CALL, LONGEST_CALL, 0, &bytes);

    if (rc != ompd_rc_ok)
        return rc;
    if (machine == MACHINE_I386 || machine == MACHINE_X86_64)
        is_known = find_x86_call(target, machine, address, table, function);
    else if (machine == MACHINE_AARCH64)
        is_known = find_aarch64_call(target, address, function);
    return is_known ? ompd_rc_ok : ompd_rc_unavailable;
}
