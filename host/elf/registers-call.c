/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Calls by pointers to addresses that are not code.  No unwind information exists there.  But the
 * call instruction has just stored its return address, on the stack or in a register.
 */
#include <host/elf/elf.h>

#include <elf.h>

#define LONGEST_CALL 7 /* bytes, on an x86, without prefixes */

#define X86_64_STACK_POINTER 7
#define I386_STACK_POINTER 4
#define AARCH64_LINK_REGISTER 30

bool registers_may_be_code(const ompd_host_target_t *target, uint64_t address)
{
    const struct region *region = region_find(target, address);

    return region != NULL && region->start <= address &&
           (!region->has_permissions || region->is_executable);
}

/* The size of the instruction `call *operand` with the bytes ModRM and SIB after its opcode; 0:
 * another instruction. */
static size_t size_of_call(uint8_t modrm, uint8_t sib)
{
    uint8_t mode = modrm >> 6;
    bool has_sib = mode != 3 && (modrm & 7) == 4;
    bool has_no_base = mode == 0 && ((has_sib ? sib : modrm) & 7) == 5;

    if ((modrm >> 3 & 7) != 2)
        return 0;
    return 2 + has_sib + (mode == 1 ? 1 : mode == 2 || has_no_base ? 4 : 0);
}

/* Whether a call instruction ends where CODE of LONGEST_CALL bytes ends.  A direct call may lead
 * to a jump through a pointer, as calls of libraries do. */
static bool is_call_of_x86(const uint8_t *code)
{
    if (code[LONGEST_CALL - 5] == 0xe8)
        return true;
    for (size_t size = 2; size <= LONGEST_CALL; size++) {
        const uint8_t *call = code + LONGEST_CALL - size;

        if (call[0] == 0xff && size_of_call(call[1], size > 2 ? call[2] : 0) == size)
            return true;
    }
    return false;
}

/* BL, BLR, and BLR's forms that authenticate the pointer. */
static bool is_call_of_aarch64(uint32_t instruction)
{
    return instruction >> 26 == 0x25 || (instruction & 0xfefff000) == 0xd63f0000;
}

/* Whether the instruction before ADDRESS, if it can be read, is a call. */
static bool is_after_call(ompd_host_target_t *target, uint64_t address)
{
    uint8_t code[LONGEST_CALL];
    size_t size = target->machine == EM_AARCH64 ? 4 : sizeof(code);

    if (address < size || !registers_may_be_code(target, address - size) ||
        ompd_host_memory_read(target, address - size, size, code) != ompd_host_rc_ok)
        return false;
    if (target->machine != EM_AARCH64)
        return is_call_of_x86(code);
    /* Instructions are little-endian, even if data are not. */
    return is_call_of_aarch64((uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
                              (uint32_t)code[3] << 24);
}

/* Pop the newest return address from the stack. */
static bool return_address_pop(ompd_host_target_t *target, struct registers *registers,
                               unsigned stack_pointer)
{
    uint64_t stack = registers->values[stack_pointer];
    uint8_t word[8];
    uint64_t address;

    if (!registers->are_known[stack_pointer] ||
        ompd_host_memory_read(target, stack, target->pointer_size, word) != ompd_host_rc_ok)
        return false;
    address = bytes_number((struct bytes){word, sizeof(word), target->is_swapped}, 0,
                           target->pointer_size);
    if (!is_after_call(target, address))
        return false;
    registers->pc = address;
    registers->values[stack_pointer] += target->pointer_size;
    return true;
}

bool registers_undo_call(ompd_host_target_t *target, struct registers *registers)
{
    switch (target->machine) {
    case EM_X86_64:
        return return_address_pop(target, registers, X86_64_STACK_POINTER);
    case EM_386:
        return return_address_pop(target, registers, I386_STACK_POINTER);
    case EM_AARCH64:
        if (!registers->are_known[AARCH64_LINK_REGISTER] ||
            !is_after_call(target, registers->values[AARCH64_LINK_REGISTER]))
            return false;
        registers->pc = registers->values[AARCH64_LINK_REGISTER];
        return true;
    default:
        return false;
    }
}
