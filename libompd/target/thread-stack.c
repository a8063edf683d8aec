/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/thread-stack.h"

#include <string.h>

/* Copy the registers of the first frame, which are good until the next callback only. */
static void copy_registers(struct thread_stack *stack)
{
    const ompd_cl_frame_t *frame = &stack->frames[0];
    uint32_t count = frame->registers != NULL ? frame->register_count : 0;

    stack->register_count = count < THREAD_REGISTERS ? count : THREAD_REGISTERS;
    if (stack->register_count != 0)
        memcpy(stack->registers, frame->registers,
               stack->register_count * sizeof(stack->registers[0]));
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
    copy_registers(stack);
}

bool thread_register_get(const struct thread_stack *stack, uint32_t number, uint64_t *value)
{
    for (uint32_t i = 0; i < stack->register_count; i++) {
        if (stack->registers[i].number == number) {
            *value = stack->registers[i].value;
            return true;
        }
    }
    return false;
}
