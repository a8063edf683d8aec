/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/target.h"

#include <string.h>

/* No machine has more registers that a tool would tell. */
#define REGISTER_LIMIT 256

/* The stack pointer's number in DWARF, by the machine's in ELF: their psABI supplements. */
static const struct {
    uint32_t machine;
    uint32_t number;
} stack_pointers[] = {
    {3, 4},    /* i386: %esp */
    {62, 7},   /* x86-64: %rsp */
    {183, 31}, /* AArch64: sp */
};

ompd_rc_t thread_get(struct target *target, uint32_t index, ompd_cl_target_thread_t *thread)
{
    ompd_rc_t rc;

    if (target->extra.thread == NULL)
        return ompd_rc_unsupported;
    if (index >= THREAD_LIMIT)
        return ompd_rc_incomplete;
    memset(thread, 0, sizeof(*thread));
    rc = TARGET_CALL(target, extra.thread, index, thread);
    if (rc == ompd_rc_unavailable || rc_is_final(rc))
        return rc;
    return rc == ompd_rc_ok && thread->lwp != 0 ? ompd_rc_ok : ompd_rc_incomplete;
}

uint32_t stack_pointer_number(struct target *target)
{
    uint32_t machine = module_first_machine(target);

    for (size_t i = 0; i < sizeof(stack_pointers) / sizeof(stack_pointers[0]); i++) {
        if (stack_pointers[i].machine == machine)
            return stack_pointers[i].number;
    }
    return UINT32_MAX;
}

ompd_rc_t stack_pointer_get(struct target *target, uint32_t number, uint64_t lwp, uint64_t *address)
{
    ompd_cl_frame_t frame;
    ompd_size_t count = 0;
    ompd_rc_t rc;

    if (target->extra.frames == NULL)
        return ompd_rc_unsupported;
    memset(&frame, 0, sizeof(frame));
    rc = TARGET_CALL(target, extra.frames, lwp, 1, &frame, &count);
    if (rc == ompd_rc_unavailable || rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || count > 1 || frame.register_count > REGISTER_LIMIT ||
        (frame.registers == NULL && frame.register_count != 0))
        return ompd_rc_incomplete;
    for (uint32_t i = 0; count == 1 && i < frame.register_count; i++) {
        if (frame.registers[i].number == number &&
            frame.registers[i].size == target->pointer_size) {
            *address = frame.registers[i].value;
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

uint64_t stack_main_begin(struct target *target)
{
    uint64_t variable;
    uint64_t begin;

    if (target_symbol(target, "__libc_stack_end", &variable) != ompd_rc_ok ||
        !target_word(target, variable, &begin))
        return 0;
    return begin;
}
