/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/program-exit.h"

#include "target/stack-pointer.h"

/* exit() does nothing but call what runs the handlers; the instructions of _exit() are a few more.
 * No more bytes than these are taken to be theirs. */
#define EXIT_SIZE 32
#define IMMEDIATE_EXIT_SIZE 64

/* Where these functions begin; 0: not known. */
struct exits {
    uint64_t exit;
    uint64_t immediate;
};

static uint64_t symbol_of(struct target *target, const char *name)
{
    uint64_t address;

    return target_symbol(target, name, &address) == ompd_rc_ok ? address : 0;
}

static bool is_within(uint64_t pc, uint64_t start, uint64_t size)
{
    return start != 0 && pc - start < size;
}

/* A return address is behind the call: within exit() even where that ends with it. */
static bool frame_is_of(const struct exits *exits, const ompd_cl_frame_t *frame)
{
    uint64_t pc = frame->is_caller != 0 ? frame->pc - 1 : frame->pc;

    return is_within(pc, exits->exit, EXIT_SIZE) ||
           is_within(pc, exits->immediate, IMMEDIATE_EXIT_SIZE);
}

static bool stack_is_of(const struct exits *exits, const struct thread_stack *stack)
{
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        if (frame_is_of(exits, &stack->frames[i]))
            return true;
    }
    return false;
}

bool program_is_exiting(struct target *target, struct thread_stack *stack)
{
    struct exits exits = {symbol_of(target, "exit"), symbol_of(target, "_exit")};
    ompd_cl_target_thread_t thread;

    for (uint32_t i = 0; thread_get(target, i, &thread) == ompd_rc_ok; i++) {
        thread_stack_get(target, thread.lwp, THREAD_FRAMES, stack);
        if (stack_is_of(&exits, stack))
            return true;
    }
    return false;
}
