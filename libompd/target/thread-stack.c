/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/target.h"

#include <string.h>

/* Copy the registers of FRAME to COPIES, which has ROOM; gives how many. */
static uint32_t copy_registers(ompd_cl_frame_t *frame, ompd_cl_register_t *copies, uint32_t room)
{
    uint32_t count = frame->registers != NULL ? frame->register_count : 0;

    if (count > room)
        count = room;
    if (count != 0)
        memcpy(copies, frame->registers, count * sizeof(copies[0]));
    frame->registers = copies;
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
