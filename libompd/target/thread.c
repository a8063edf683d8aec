/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of the target and their stacks, as the tool reports them. */
#include "target/target.h"

#include <string.h>

/* ---- Threads and their stack pointers -------------------------------------------------------- */

/* No tool reports more registers. */
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
    thread->struct_size = sizeof(*thread);
    rc = TARGET_CALL(target, extra.thread, index, thread);
    if (rc == ompd_rc_unavailable || rc_is_final(rc))
        return rc;
    return rc == ompd_rc_ok && thread->lwp != 0 ? ompd_rc_ok : ompd_rc_incomplete;
}

/* Register number INDEX of FRAME as the tool has filled it. */
static const ompd_cl_register_t *frame_register(const ompd_cl_frame_t *frame, uint32_t index)
{
    size_t size =
        frame->register_size != 0 ? (size_t)frame->register_size : sizeof(ompd_cl_register_t);

    return (const ompd_cl_register_t *)(const void *)((const char *)frame->registers +
                                                      index * size);
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
    frame.struct_size = sizeof(frame);
    rc = TARGET_CALL(target, extra.frames, lwp, 1, &frame, &count);
    if (rc == ompd_rc_unavailable || rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || count > 1 || frame.register_count > REGISTER_LIMIT ||
        (frame.registers == NULL && frame.register_count != 0))
        return ompd_rc_incomplete;
    for (uint32_t i = 0; count == 1 && i < frame.register_count; i++) {
        const ompd_cl_register_t *found = frame_register(&frame, i);

        if (found->number == number && found->size == target->pointer_size) {
            *address = found->value;
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

/* ---- The main thread ------------------------------------------------------------------------- */

bool main_thread_has_ended(struct target *target, uint64_t *lwp, uint64_t *count, ompd_rc_t *rc)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t thread_rc = ompd_rc_ok;

    *lwp = 0;
    *count = 0;
    for (uint32_t i = 0; thread_rc == ompd_rc_ok; i++) {
        thread_rc = thread_get(target, i, &thread);
        if (thread_rc != ompd_rc_ok)
            break;
        /* The first thread usually has the lowest number, that of the main thread. */
        if (thread.main_lwp == 0 || thread.main_lwp == thread.lwp ||
            (*lwp != 0 && thread.main_lwp != *lwp))
            break;
        *lwp = thread.main_lwp;
        ++*count;
    }
    *rc = thread_rc == ompd_rc_unavailable || thread_rc == ompd_rc_unsupported ? ompd_rc_ok
                                                                               : thread_rc;
    return thread_rc == ompd_rc_unavailable && *count != 0;
}

/* ---- Call stacks ----------------------------------------------------------------------------- */

/* Copy the registers of FRAME to COPIES, which has ROOM; returns their number. */
static uint32_t copy_registers(ompd_cl_frame_t *frame, ompd_cl_register_t *copies, uint32_t room)
{
    uint32_t count = frame->registers != NULL ? frame->register_count : 0;

    if (count > room)
        count = room;
    for (uint32_t i = 0; i < count; i++)
        copies[i] = *frame_register(frame, i);
    frame->registers = copies;
    frame->register_size = sizeof(copies[0]);
    frame->register_count = count;
    return count;
}

/* Copy the registers of all frames, which are good until the next callback only. */
static void copy_all_registers(struct thread_stack *stack)
{
    uint32_t used = 0;

    stack->register_count = copy_registers(&stack->frames[0], stack->registers, THREAD_REGISTERS);
    for (uint32_t i = 1; i < stack->frame_count; i++)
        used += copy_registers(&stack->frames[i], stack->outer_registers + used,
                               OUTER_REGISTERS - used);
}

void thread_stack_get(struct target *target, uint64_t lwp, uint32_t capacity,
                      struct thread_stack *stack)
{
    ompd_size_t count = 0;

    if (stack->lwp == lwp && stack->stop == target->stop && stack->capacity >= capacity)
        return;
    stack->lwp = lwp;
    stack->stop = target->stop;
    stack->capacity = capacity;
    stack->frame_count = 0;
    stack->register_count = 0;
    if (target->extra.frames == NULL)
        return;
    memset(stack->frames, 0, sizeof(stack->frames));
    for (uint32_t i = 0; i < capacity; i++)
        stack->frames[i].struct_size = sizeof(stack->frames[i]);
    if (TARGET_CALL(target, extra.frames, lwp, (ompd_size_t)capacity, stack->frames, &count) !=
            ompd_rc_ok ||
        count > capacity || count == 0)
        return;
    stack->frame_count = (uint32_t)count;
    copy_all_registers(stack);
}

bool thread_register_get(const struct thread_stack *stack, uint32_t number, uint64_t *value)
{
    return stack->frame_count != 0 && thread_frame_register_get(stack, 0, number, value);
}

bool thread_frame_register_get(const struct thread_stack *stack, uint32_t frame, uint32_t number,
                               uint64_t *value)
{
    const ompd_cl_frame_t *of = &stack->frames[frame];

    for (uint32_t i = 0; i < of->register_count; i++) {
        if (of->registers[i].number == number) {
            *value = of->registers[i].value;
            return true;
        }
    }
    return false;
}
