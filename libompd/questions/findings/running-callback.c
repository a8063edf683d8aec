/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a running callback may have freed its user data. */
#include "questions/findings/findings.h"

#include "target/machine.h"

/* Frames within a callback that are examined, and bytes of its code: laws 6 and 9. */
#define FRAMES 32
#define LARGEST_FUNCTION (UINT64_C(8) * TARGET_BLOCK_SIZE)

/* Where a function is in memory: [start, end). */
struct function_range {
    uint64_t start;
    uint64_t end;
};

/* Where FRAME is in code: a return address may be behind its function. */
static uint64_t frame_place(const ompd_cl_frame_t *frame)
{
    return frame->is_caller != 0 ? frame->pc - 1 : frame->pc;
}

/* Find the function that PLACE is in. */
static bool find_function_range(struct address_space *space, uint64_t place,
                                struct function_range *range)
{
    const struct owner_module *owner = owner_module_find(&space->stacks->owners, place);
    struct module module;

    return owner != NULL && module_get(&space->target, owner->index, &module) == ompd_rc_ok &&
           function_find(&space->target, &module, place, &range->start, &range->end) ==
               ompd_rc_ok &&
           range->end - range->start <= LARGEST_FUNCTION;
}

/* Step over the instruction at AT of RANGE. */
static bool step_instruction(struct target *target, const struct code_machine *machine,
                             const struct function_range *range, uint64_t at,
                             struct code_step *step)
{
    uint64_t rest = range->end - at;
    uint32_t count = rest < CODE_LONGEST ? (uint32_t)rest : CODE_LONGEST;
    struct register_trace unused;
    const uint8_t *bytes;

    trace_begin(&unused, target->pointer_size);
    return target_view(target, at, count, 0, &bytes) == ompd_rc_ok &&
           machine->step(bytes, count, at, &unused, step);
}

static bool range_contains(const struct code_step *step, uint64_t start, uint64_t end)
{
    return step->target >= start && step->target < end;
}

/* Whether the code of RANGE reaches PC without a call, except one that returns there if IS_CALLER.
 * There must be no call before PC, and no jump back from code after it. */
static bool is_first_call(struct target *target, const struct code_machine *machine,
                          const struct function_range *range, uint64_t pc, bool is_caller)
{
    bool is_found = !is_caller;
    struct code_step step;

    for (uint64_t at = range->start; at < range->end; at += step.size) {
        bool is_it;

        if (!step_instruction(target, machine, range, at, &step))
            return false;
        is_it = is_caller && step.flow == code_calls && at + step.size == pc;
        is_found |= is_it;
        if (step.flow == code_calls) {
            if (at < pc && !is_it)
                return false;
        } else if (step.has_target && (at < pc ? !range_contains(&step, range->start, range->end)
                                               : range_contains(&step, range->start, pc))) {
            return false;
        }
    }
    return is_found;
}

/* Whether the code of RANGE calls nothing; it may continue in another function at its end. */
static bool calls_nothing(struct target *target, const struct code_machine *machine,
                          const struct function_range *range)
{
    struct code_step step;

    for (uint64_t at = range->start; at < range->end; at += step.size) {
        if (!step_instruction(target, machine, range, at, &step) || step.flow == code_calls)
            return false;
    }
    return true;
}

/* Return whether FRAME is in the C library's function NAME. */
static bool frame_is_in(struct address_space *space, const ompd_cl_frame_t *frame, const char *name)
{
    const struct owner_module *owner =
        owner_module_find(&space->stacks->owners, frame_place(frame));
    struct function_range range;
    uint64_t address;

    return owner != NULL && owner->role == module_of_c_library &&
           module_symbol(&space->target, owner->index, name, &address) == ompd_rc_ok &&
           find_function_range(space, frame_place(frame), &range) && range.start == address;
}

/* Return whether frame NUMBER of STACK is in free(), which has aborted. */
static bool has_aborted_in_free(struct address_space *space, const struct thread_stack *stack,
                                uint32_t number)
{
    if (!frame_is_in(space, &stack->frames[number], "free"))
        return false;
    while (number-- > 0) {
        if (frame_is_in(space, &stack->frames[number], "abort"))
            return true;
    }
    return false;
}

/* Whether the recorder has called a function without a frame of its own, RANGE, which has continued
 * in free(), which has aborted. */
static bool has_gone_on_to_free(struct address_space *space, const struct code_machine *machine,
                                const struct function_range *range)
{
    const struct thread_stack *stack = &space->stack;

    for (uint32_t i = 1; i < stack->frame_count && i < FRAMES; i++) {
        const struct owner_module *owner =
            owner_module_find(&space->stacks->owners, frame_place(&stack->frames[i]));

        if (owner != NULL && owner->role == module_of_recorder)
            return calls_nothing(&space->target, machine, range) &&
                   has_aborted_in_free(space, stack, i - 1);
    }
    return false;
}

bool running_callback_has_freed_nothing(struct address_space *space, uint64_t lwp,
                                        uint64_t function)
{
    struct target *target = &space->target;
    const struct thread_stack *stack = &space->stack;
    const struct code_machine *machine;
    struct function_range range;
    uint32_t i = 0;

    if (memory_owners_read(space) != ompd_rc_ok)
        return false;
    machine = code_machine_find(module_first_machine(target));
    if (machine == NULL || !find_function_range(space, function, &range) || range.start != function)
        return false;
    thread_stack_get(target, lwp, THREAD_FRAMES, &space->stack);
    while (i < stack->frame_count && i < FRAMES &&
           (frame_place(&stack->frames[i]) < range.start ||
            frame_place(&stack->frames[i]) >= range.end))
        i++;
    if (i == stack->frame_count || i == FRAMES)
        return has_gone_on_to_free(space, machine, &range);
    return is_first_call(target, machine, &range, stack->frames[i].pc,
                         stack->frames[i].is_caller != 0) &&
           (i == 0 || has_aborted_in_free(space, stack, i - 1));
}
