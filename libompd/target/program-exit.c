/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program is exiting by itself. */
#include "target/target.h"

/* exit() only calls the function that runs the handlers, and _exit() has a few more instructions.
 * This many bytes are considered theirs. */
#define EXIT_SIZE 32
#define IMMEDIATE_EXIT_SIZE 64

/* Where these functions begin; 0: not known. */
struct exits {
    uint64_t exit;
    uint64_t immediate;
};

static uint64_t exit_symbol(struct target *target, const char *name)
{
    uint64_t address;

    return target_symbol(target, name, &address) == ompd_rc_ok ? address : 0;
}

static bool exit_contains(uint64_t pc, uint64_t start, uint64_t size)
{
    return start != 0 && pc - start < size;
}

/* A return address is behind the call: within exit() even if that ends with the call. */
static uint64_t frame_instruction(const ompd_cl_frame_t *frame)
{
    return frame->is_caller != 0 ? frame->pc - 1 : frame->pc;
}

/* _exit() is within exit(), once the handlers have been run. */
static bool stack_is_of(const struct exits *exits, const struct thread_stack *stack,
                        struct program_exit *found)
{
    bool is_exit = false;

    found->is_immediate = false;
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        uint64_t pc = frame_instruction(&stack->frames[i]);

        is_exit |= exit_contains(pc, exits->exit, EXIT_SIZE);
        found->is_immediate |= exit_contains(pc, exits->immediate, IMMEDIATE_EXIT_SIZE);
    }
    return is_exit || found->is_immediate;
}

bool program_exit_find(struct target *target, struct thread_stack *stack,
                       struct program_exit *found)
{
    struct exits exits = {exit_symbol(target, "exit"), exit_symbol(target, "_exit")};
    ompd_cl_target_thread_t thread;

    for (uint32_t i = 0; thread_get(target, i, &thread) == ompd_rc_ok; i++) {
        thread_stack_get(target, thread.lwp, THREAD_FRAMES, stack);
        found->lwp = thread.lwp;
        if (stack_is_of(&exits, stack, found))
            return true;
    }
    return false;
}
