/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a call that has not returned. */
#include "sources/stack/stack.h"

#include "target/machine.h"

#define MACHINE_I386 3

/* Larger functions are not searched: law 9. */
#define LARGEST_FUNCTION (UINT64_C(8) * TARGET_BLOCK_SIZE)

/* A function that passes its own arguments on is followed through this many callers. */
#define CALLERS 4

/* A function that a thread is in, or that has called another. */
struct function {
    struct target *target;
    const struct code_machine *machine;
    uint64_t start;
    uint64_t end;
    uint64_t pc; /* of its frame */
};

/* ---- Code ------------------------------------------------------------------------------------ */

/* Find the function that FRAME is in. */
static bool find_frame_function(struct address_space *space, const struct code_machine *machine,
                                const ompd_cl_frame_t *frame, struct function *function)
{
    uint64_t place = frame->is_caller != 0 ? frame->pc - 1 : frame->pc;
    const struct owner_module *owner = owner_module_find(&space->stacks->owners, place);
    struct module module;

    *function = (struct function){.target = &space->target, .machine = machine, .pc = frame->pc};
    return owner != NULL && module_get(&space->target, owner->index, &module) == ompd_rc_ok &&
           function_find(&space->target, &module, place, &function->start, &function->end) ==
               ompd_rc_ok &&
           function->end - function->start <= LARGEST_FUNCTION;
}

/* Step over the instruction of FUNCTION at ADDRESS. */
static bool step_function(const struct function *function, uint64_t address,
                          struct register_trace *trace, struct code_step *step)
{
    uint64_t rest = function->end - address;
    uint32_t count = rest < CODE_LONGEST ? (uint32_t)rest : CODE_LONGEST;
    const uint8_t *bytes;

    return target_view(function->target, address, count, 0, &bytes) == ompd_rc_ok &&
           function->machine->step(bytes, count, address, trace, step);
}

/* Find the call that FUNCTION is in, at *CALL, and the *START of the straight code before it, to
 * which nothing else jumps. Returns false if part of the function is unknown. */
static bool find_straight_code(const struct function *function, uint64_t *start, uint64_t *call)
{
    struct register_trace unused;
    struct code_step step;
    bool is_found = false;

    trace_begin(&unused, sizeof(uint64_t));
    *start = function->start;
    for (uint64_t at = function->start; at < function->end; at += step.size) {
        uint64_t next;

        if (!step_function(function, at, &unused, &step))
            return false;
        next = at + step.size;
        if (step.flow == code_calls && next == function->pc) {
            *call = at;
            is_found = true;
        }
        if (step.flow != code_calls && step.has_target && step.target < function->pc &&
            step.target > *start)
            *start = step.target;
        if (step.flow == code_leaves && next < function->pc && next > *start)
            *start = next;
    }
    return is_found;
}

/* Trace the code of FUNCTION from START to END in TRACE. */
static bool trace_code(const struct function *function, uint64_t start, uint64_t end,
                       struct register_trace *trace)
{
    struct code_step step;

    trace_begin(trace, sizeof(uint64_t));
    for (uint64_t at = start; at < end; at += step.size) {
        if (!step_function(function, at, trace, &step))
            return false;
    }
    return true;
}

/* ---- By the code before the call ------------------------------------------------------------- */

/* Get the known registers of frame NUMBER of STACK at its call, in *END. */
static void read_registers(const struct code_machine *machine, const struct thread_stack *stack,
                           uint32_t number, struct trace_end *end)
{
    *end = (struct trace_end){.known = 0};
    for (uint32_t i = 0; i < TRACE_REGISTERS; i++) {
        if ((machine->preserved >> i & 1) != 0 &&
            thread_frame_register_get(stack, number, i, &end->values[i]))
            end->known |= UINT32_C(1) << i;
    }
    end->values[machine->stack_pointer] = stack->frames[number - 1].frame_address;
    if (stack->frames[number - 1].frame_address != 0)
        end->known |= UINT32_C(1) << machine->stack_pointer;
}

/* The argument of the function that VALUE is, by the origins of its registers; FOUND_ARGUMENTS if
 * it is not an argument. */
static uint32_t argument_of(const struct code_machine *machine, struct trace_value value)
{
    for (uint32_t i = 0; i < FOUND_ARGUMENTS; i++) {
        if (value.origin == machine->arguments[i] + 1U && value.offset == 0)
            return i;
    }
    return FOUND_ARGUMENTS;
}

/* Return whether frame NUMBER of STACK has called FUNCTION, the frame within it. */
static bool has_called(const struct thread_stack *stack, uint32_t number,
                       const struct function *function)
{
    uint64_t called;

    return number < stack->frame_count && stack->frames[number].is_caller != 0 &&
           call_site_find(function->target, function->machine->number, stack->frames[number].pc, 0,
                          &called) == ompd_rc_ok &&
           called == function->start;
}

/* The arguments found for a call. */
struct found_values {
    struct found_arguments found;
    uint32_t from[FOUND_ARGUMENTS]; /* which of the function's own arguments each other one is;
                                       FOUND_ARGUMENTS: none */
};

/* Examine the code of FUNCTION before the call that it is in, its frame being number NUMBER of
 * STACK. */
static void find_before_call(const struct function *function, const struct thread_stack *stack,
                             uint32_t number, struct found_values *found_values)
{
    struct register_trace trace;
    struct trace_end end;
    uint64_t start;
    uint64_t call = 0;
    bool is_known =
        find_straight_code(function, &start, &call) && trace_code(function, start, call, &trace);

    *found_values = (struct found_values){.found = {.known = 0}};
    if (is_known)
        read_registers(function->machine, stack, number, &end);
    for (uint32_t i = 0; i < FOUND_ARGUMENTS; i++) {
        struct trace_value value;

        found_values->from[i] = FOUND_ARGUMENTS;
        if (!is_known)
            continue;
        value = trace.registers[function->machine->arguments[i]];
        if (trace_resolve(&trace, &end, function->target, value, &found_values->found.values[i]))
            found_values->found.known |= UINT32_C(1) << i;
        else if (start == function->start)
            found_values->from[i] = argument_of(function->machine, value);
    }
}

/* Find the arguments of the call that frame NUMBER of STACK is in. Those that its function has only
 * passed on come from the call of that. */
static void find_by_callers(struct address_space *space, const struct code_machine *machine,
                            const struct thread_stack *stack, uint32_t number,
                            struct found_arguments *arguments)
{
    uint32_t wanted[FOUND_ARGUMENTS] = {0, 1, 2};
    struct function function;

    for (uint32_t level = 0; level < CALLERS; level++, number++) {
        struct found_values found_values;
        bool is_more = false;

        if ((level != 0 && !has_called(stack, number, &function)) ||
            !find_frame_function(space, machine, &stack->frames[number], &function))
            return;
        find_before_call(&function, stack, number, &found_values);
        for (uint32_t i = 0; i < FOUND_ARGUMENTS; i++) {
            uint32_t from = wanted[i];

            wanted[i] = from < FOUND_ARGUMENTS ? found_values.from[from] : FOUND_ARGUMENTS;
            is_more |= wanted[i] < FOUND_ARGUMENTS;
            if (from < FOUND_ARGUMENTS && (found_values.found.known >> from & 1) != 0) {
                arguments->known |= UINT32_C(1) << i;
                arguments->values[i] = found_values.found.values[from];
            }
        }
        if (!is_more)
            return;
    }
}

/* ---- By the function that was called --------------------------------------------------------- */

/* Trace FUNCTION from its start to behind the first instruction that may jump, or to that of its
 * frame; *AT is that address, and *IS_THERE whether it is the latter. */
static bool follow_start(const struct function *function, struct register_trace *trace,
                         uint64_t *at, bool *is_there)
{
    struct code_step step = {.flow = code_goes_on};

    trace_begin(trace, sizeof(uint64_t));
    *at = function->start;
    for (; *at != function->pc && step.flow == code_goes_on; *at += step.size) {
        if (*at >= function->end || !step_function(function, *at, trace, &step))
            return false;
    }
    *is_there = step.flow == code_goes_on;
    return true;
}

/* The registers, as bits, that FUNCTION writes from AT on, except for saved ones. */
static bool find_written_registers(const struct function *function, uint64_t at, uint32_t *written)
{
    struct register_trace trace;
    struct code_step step;

    trace_begin(&trace, sizeof(uint64_t));
    for (; at < function->end; at += step.size) {
        if (!step_function(function, at, &trace, &step))
            return false;
    }
    *written = trace.written;
    return true;
}

/* Find the arguments of the function of frame NUMBER of STACK that it has in preserved registers.
 * At the start of the innermost function, they are in the argument registers. */
static void find_by_called(struct address_space *space, const struct code_machine *machine,
                           const struct thread_stack *stack, uint32_t number,
                           struct found_arguments *arguments)
{
    struct register_trace trace;
    struct function function;
    uint32_t written;
    uint64_t at;
    bool is_at_start;

    if (!find_frame_function(space, machine, &stack->frames[number], &function) ||
        !follow_start(&function, &trace, &at, &is_at_start) ||
        !find_written_registers(&function, at, &written))
        return;
    /* It is unknown which registers the innermost frame has restored already. */
    if (number == 0 && !is_at_start)
        return;
    is_at_start = number == 0;
    if (is_at_start)
        written = 0;
    for (uint32_t i = 0; i < TRACE_REGISTERS; i++) {
        uint32_t argument = trace.registers[i].size == sizeof(uint64_t)
                                ? argument_of(machine, trace.registers[i])
                                : FOUND_ARGUMENTS;
        bool is_preserved = (machine->preserved >> i & 1) != 0;
        bool keeps = (is_preserved || is_at_start) && (written >> i & 1) == 0;

        if (argument < FOUND_ARGUMENTS && keeps &&
            thread_frame_register_get(stack, number, i, &arguments->values[argument]))
            arguments->known |= UINT32_C(1) << argument;
    }
}

/* ---- By where the thread is ------------------------------------------------------------------ */

/* Find the registers that the code of FUNCTION, and of the functions that it calls, may have
 * written between its start and its current position, as bits in *WRITTEN. Returns false if part of
 * that code is unknown. */
static bool find_written_before(const struct function *function, uint32_t *written)
{
    struct register_trace trace;
    struct code_step step;
    bool is_looped = false; /* later code may have come before */

    trace_begin(&trace, sizeof(uint64_t));
    *written = 0;
    for (uint64_t at = function->start; at < function->end; at += step.size) {
        bool is_before = at < function->pc;
        bool is_outside = true;
        bool is_jump;

        if (!step_function(function, at, &trace, &step))
            return false;
        if (is_before)
            *written = trace.written;
        is_jump = step.flow != code_calls && step.has_target;
        if (is_jump)
            is_outside = step.target < function->start || step.target >= function->end;
        /* A separate part of the function may have jumped back. */
        if (is_jump && is_outside && is_before)
            return false;
        is_looped |= step.flow == code_leaves && !step.has_target && is_before;
        is_looped |= is_jump && !is_outside && !is_before && step.target <= function->pc;
    }
    if (is_looped)
        *written = trace.written;
    return true;
}

/* Find the arguments of the innermost function of STACK that are still where it received them. */
static void find_by_innermost(struct address_space *space, const struct code_machine *machine,
                              const struct thread_stack *stack, struct found_arguments *arguments)
{
    struct function function;
    uint32_t written;

    if (stack->frames[0].is_caller != 0 ||
        !find_frame_function(space, machine, &stack->frames[0], &function) ||
        !find_written_before(&function, &written))
        return;
    for (uint32_t i = 0; i < FOUND_ARGUMENTS; i++) {
        uint32_t number = machine->arguments[i];

        if ((written >> number & 1) != 0 ||
            !thread_frame_register_get(stack, 0, number, &arguments->values[i]))
            continue;
        arguments->known |= UINT32_C(1) << i;
        arguments->proved |= UINT32_C(1) << i;
    }
}

/* ---- Any machine ----------------------------------------------------------------------------- */

/* On i386 arguments are on the stack, above where the call returns to. */
static void find_on_stack(struct target *target, const struct thread_stack *stack, uint32_t number,
                          struct found_arguments *arguments)
{
    uint64_t first = stack->frames[number - 1].frame_address;

    for (uint32_t i = 0; first != 0 && i < FOUND_ARGUMENTS; i++) {
        if (target_word(target, first + (uint64_t)i * target->pointer_size, &arguments->values[i]))
            arguments->known |= UINT32_C(1) << i;
    }
}

void call_arguments_find(struct address_space *space, uint32_t machine,
                         const struct thread_stack *stack, uint32_t number, unsigned ways,
                         struct found_arguments *arguments)
{
    const struct code_machine *code = code_machine_find(machine);
    struct found_arguments called = {.known = 0};

    *arguments = (struct found_arguments){.known = 0};
    if (machine == MACHINE_I386)
        find_on_stack(&space->target, stack, number, arguments);
    if (code == NULL || space->target.pointer_size != sizeof(uint64_t))
        return;
    if ((ways & call_by_caller) != 0)
        find_by_callers(space, code, stack, number, arguments);
    if ((ways & call_by_called) != 0)
        find_by_called(space, code, stack, number - 1, &called);
    for (uint32_t i = 0; i < FOUND_ARGUMENTS; i++) {
        uint32_t bit = UINT32_C(1) << i;
        bool is_both = (arguments->known & called.known & bit) != 0;

        /* Conflicting values are unknown. */
        if (is_both && arguments->values[i] != called.values[i])
            called.known = arguments->known &= ~bit;
        if ((called.known & bit) != 0)
            arguments->values[i] = called.values[i];
        arguments->known |= called.known & bit;
    }
    if ((ways & call_by_called) != 0 && number == 1)
        find_by_innermost(space, code, stack, arguments);
}
