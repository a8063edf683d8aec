/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads in OpenCL without the recorder, by the unfinished calls on their stacks. */
#include "sources/stack/stack.h"

#include "kinds/kinds.h"
#include "sources/layout/layout-source.h"
#include "target/machine.h"

#include <string.h>

/* Addresses that were named last. */
#define NAMED_CALLS 16

/* Functions with lower numbers are in the loader's table (schema/calls.def). */
#define FIRST_EXTENSION 512

/* The register of i386 that has the address of the global offset table, %ebx, in DWARF. */
#define TABLE_REGISTER 3

/* The state while the stacks of a stop are read. */
struct following {
    struct address_space *space;
    uint32_t machine;
    uint64_t callers[MODULE_LIMIT / 64]; /* bits: modules of the program that call OpenCL */
    struct {
        uint64_t function;
        uint32_t call; /* 0: not an OpenCL function */
    } named[NAMED_CALLS];
    uint32_t named_count; /* so far */
    bool lacks_code;      /* of the call that was examined last */
};

bool found_threads_are_available(const struct address_space *space)
{
    const ompd_cl_extra_t *extra = &space->target.extra;

    return (space->sources >> ompd_cl_source_stack & 1) != 0 && extra->thread != NULL &&
           extra->frames != NULL && extra->module != NULL && extra->module_symbol != NULL;
}

/* An address of the instruction that FRAME is at: behind a call another function may begin. */
static uint64_t frame_address(const ompd_cl_frame_t *frame)
{
    return frame->is_caller != 0 ? frame->pc - 1 : frame->pc;
}

/* The module with the code of FRAME; NULL if there is none. */
static const struct owner_module *module_of_frame(const struct following *following,
                                                  const ompd_cl_frame_t *frame)
{
    return owner_module_find(&following->space->stacks->owners, frame_address(frame));
}

/* Where the function of module number MODULE begins that PLACE is in, by the unwind tables; 0: not
 * known. */
static uint64_t function_start_at(struct address_space *space, uint32_t module, uint64_t place)
{
    struct module found;
    uint64_t start;
    ompd_rc_t rc = module_get(&space->target, module, &found);

    if (rc == ompd_rc_ok)
        rc = function_start_find(&space->target, &found, place, &start);
    if (rc == ompd_rc_ok)
        return start;
    shortfall_note(&space->stacks->threads.missing, rc != ompd_rc_unavailable);
    return 0;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* The number of the OpenCL function that begins at FUNCTION in module number MODULE; 0: none. */
static uint32_t find_call_number(struct following *following, uint32_t module, uint64_t function)
{
    struct address_space *space = following->space;

    for (uint32_t i = 0; i < CALL_NAME_COUNT; i++) {
        uint64_t address;
        ompd_rc_t rc = module_symbol(&space->target, module, call_names[i].name, &address);

        if (rc == ompd_rc_ok && address == function)
            return (uint32_t)call_names[i].value;
        shortfall_note(&space->stacks->threads.missing,
                       rc != ompd_rc_ok && rc != ompd_rc_unavailable);
    }
    return 0;
}

/* The number of the OpenCL function at FUNCTION in RUNTIME's dispatch table, where its index is the
 * number minus 1; 0: none, or several with the same code. */
static uint32_t find_table_entry(struct target *target, const struct runtime *runtime,
                                 uint64_t function)
{
    uint32_t found = 0;

    for (uint32_t call = 1; call < FIRST_EXTENSION; call++) {
        uint64_t word;

        if (!target_word(target, runtime->table + (uint64_t)(call - 1) * target->pointer_size,
                         &word))
            break;
        if (word != function || call_name(call) == NULL)
            continue;
        if (found != 0)
            return 0;
        found = call;
    }
    return found;
}

/* The same for the runtime whose module has FUNCTION. */
static uint32_t find_runtime_call(struct address_space *space, uint64_t function)
{
    const struct runtimes *runtimes = &space->layout->runtimes;

    for (uint32_t i = 0; i < runtimes->count; i++) {
        const struct runtime *runtime = &runtimes->all[i];

        if (runtime->table != 0 && function >= runtime->start && function < runtime->end)
            return find_table_entry(&space->target, runtime, function);
    }
    return 0;
}

/* The number of the OpenCL function that begins at FUNCTION in MODULE, a runtime or the loader; 0:
 * none. */
static uint32_t call_of(struct following *following, const struct owner_module *module,
                        uint64_t function)
{
    uint32_t place = following->named_count % NAMED_CALLS;
    uint32_t call;

    for (uint32_t i = 0; i < NAMED_CALLS; i++) {
        if (following->named[i].function == function)
            return following->named[i].call;
    }
    call = find_runtime_call(following->space, function);
    if (call == 0)
        call = find_call_number(following, module->index, function);
    following->named[place].function = function;
    following->named[place].call = call;
    following->named_count++;
    return call;
}

/* The call that a runtime is in, by FRAME, its outermost frame; 0 if FRAME is not that, or belongs
 * to another function. */
static uint32_t call_at(struct following *following, const ompd_cl_frame_t *frame)
{
    const struct owner_module *module = module_of_frame(following, frame);
    uint64_t function;

    if (module == NULL || module->role != module_of_runtime)
        return 0;
    /* The tool may report a symbol before it, because runtimes are stripped. */
    function = function_start_at(following->space, module->index, frame_address(frame));
    return function != 0 ? call_of(following, module, function) : 0;
}

/* Find the function that frame NUMBER of STACK, of the program, has called, from its code;
 * *FUNCTION is 0 if that is unknown. Returns the number of the OpenCL function; 0: none. */
static uint32_t call_by_code(struct following *following, const struct thread_stack *stack,
                             uint32_t number, uint64_t *function)
{
    struct address_space *space = following->space;
    const struct owner_module *module;
    uint64_t table = 0;
    ompd_rc_t rc;

    thread_frame_register_get(stack, number, TABLE_REGISTER, &table);
    *function = 0;
    rc = call_site_find(&space->target, following->machine, stack->frames[number].pc, table,
                        function);
    if (rc != ompd_rc_ok) {
        following->lacks_code = rc != ompd_rc_unavailable;
        return 0;
    }
    module = owner_module_find(&space->stacks->owners, *function);
    return module != NULL && module->role == module_of_runtime
               ? call_of(following, module, *function)
               : 0;
}

/* Return whether FRAME, of a runtime or the loader, is in the function that was called at FUNCTION,
 * or in the runtime's function number CALL. */
static bool is_frame_of(struct following *following, const ompd_cl_frame_t *frame, uint32_t call,
                        uint64_t function)
{
    const struct owner_module *module = module_of_frame(following, frame);
    uint64_t start = module != NULL
                         ? function_start_at(following->space, module->index, frame_address(frame))
                         : 0;

    return start != 0 && (start == function || find_runtime_call(following->space, start) == call);
}

/* Find the call that frame NUMBER of STACK, of the program, has made, in *ACTIVITY, from its code.
 * For a call through a register, or of a function that ends with the call, the inner frame shows
 * the function. Returns false if it is not an OpenCL call. */
static bool find_frame_call(struct following *following, const struct thread_stack *stack,
                            uint32_t number, struct found_activity *activity)
{
    struct address_space *space = following->space;
    const ompd_cl_frame_t *frame = &stack->frames[number];
    uint64_t function;
    uint32_t call;
    unsigned ways = 0;

    if (frame->is_caller == 0 || number == 0)
        return false;
    following->lacks_code = false;
    call = call_by_code(following, stack, number, &function);
    if (call != 0)
        ways = call_by_caller |
               (is_frame_of(following, frame - 1, call, function) ? call_by_called : 0);
    else
        call = call_at(following, frame - 1);
    if (call != 0 && ways == 0)
        ways = call_by_called;
    shortfall_note(&space->stacks->threads.missing, call == 0 && following->lacks_code);
    activity->call = call;
    if (call != 0)
        call_arguments_find(space, following->machine, stack, number, ways, &activity->arguments);
    return call != 0;
}

/* ---- One thread ------------------------------------------------------------------------------ */

/* Add an activity around those that THREAD has. */
static void add_outer_activity(struct found_thread *thread, struct found_activity activity)
{
    if (thread->count == FOUND_ACTIVITIES)
        thread->missing.lost++;
    else
        thread->activities[thread->count++] = activity;
    thread->is_caller = activity.call != 0;
}

/* Find out whether frame NUMBER of STACK, in the program's module MODULE, calls OpenCL, and whether
 * a runtime has called it. */
static void follow_frame(struct following *following, const struct thread_stack *stack,
                         uint32_t number, const struct owner_module *module,
                         struct found_thread *thread)
{
    const ompd_cl_frame_t *frame = &stack->frames[number];
    struct found_activity activity = {.module = module->index};
    const struct owner_module *caller = NULL;

    if (find_frame_call(following, stack, number, &activity)) {
        following->callers[module->index / 64] |= UINT64_C(1) << module->index % 64;
        add_outer_activity(thread, activity);
    }
    if (number + 1 < stack->frame_count)
        caller = module_of_frame(following, frame + 1);
    if (caller == NULL || caller->role != module_of_runtime)
        return;
    activity = (struct found_activity){
        .module = module->index, .function = frame->function, .place = frame_address(frame)};
    call_arguments_find(following->space, following->machine, stack, number + 1,
                        call_by_caller | call_by_called, &activity.arguments);
    add_outer_activity(thread, activity);
}

static void follow_stack(struct following *following, const struct thread_stack *stack,
                         struct found_thread *thread)
{
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        const struct owner_module *module = module_of_frame(following, &stack->frames[i]);

        if (module != NULL && module->role == module_of_program)
            follow_frame(following, stack, i, module, thread);
    }
    shortfall_note(&thread->missing, stack->frame_count == THREAD_FRAMES);
}

/* Leave of THREAD the callbacks that are in modules which call OpenCL. */
static void strike_others(const struct following *following, struct found_thread *thread)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < thread->count; i++) {
        struct found_activity *activity = &thread->activities[i];
        uint32_t module = activity->module;

        if (activity->call == 0 && (following->callers[module / 64] >> module % 64 & 1) == 0)
            continue;
        if (activity->call == 0 && activity->function == 0)
            activity->function = function_start_at(following->space, module, activity->place);
        thread->activities[count++] = *activity;
    }
    thread->count = count;
    if (thread->missing.lost == 0 && count != 0)
        thread->is_caller = thread->activities[count - 1].call != 0;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Follow the stacks of all threads, keeping those with an activity. */
static ompd_rc_t follow_threads(struct following *following)
{
    struct address_space *space = following->space;
    ompd_cl_target_thread_t told;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        struct thread_stack *stack = &space->stack;
        struct found_thread thread = {.lwp = 0};

        rc = thread_get(&space->target, i, &told);
        shortfall_note(&space->stacks->threads.missing, rc == ompd_rc_incomplete);
        if (rc != ompd_rc_ok)
            break;
        thread.lwp = told.lwp;
        thread.pthread = told.pthread;
        thread_stack_get(&space->target, told.lwp, THREAD_FRAMES, stack);
        shortfall_note(&space->stacks->threads.missing, stack->frame_count == 0);
        follow_stack(following, stack, &thread);
        if (thread.count != 0)
            rc = kept_rows_add(space, &space->stacks->threads, sizeof(thread), THREAD_LIMIT,
                               &thread);
    }
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Leave the threads that are in OpenCL. */
static void strike_threads(const struct following *following)
{
    struct kept_rows *kept = &following->space->stacks->threads;
    struct found_thread *threads = kept->rows;
    uint32_t count = 0;

    for (uint32_t i = 0; i < kept->count; i++) {
        strike_others(following, &threads[i]);
        if (threads[i].count != 0)
            threads[count++] = threads[i];
    }
    kept->count = count;
}

/* Log how many were found. Returns as log_line_print does. */
static ompd_rc_t log_threads(const struct address_space *space)
{
    struct message line;

    log_line_begin(&line);
    message_add(&line, "call stacks: ");
    message_add_decimal(&line, space->stacks->threads.count);
    message_add(&line, " threads are in OpenCL");
    return log_line_print(&space->target.log, ompd_cl_log_level_decision, &line);
}

ompd_rc_t found_threads_read(struct address_space *space, bool is_again)
{
    struct kept_rows *kept = &space->stacks->threads;
    struct following following = {.space = space};
    ompd_rc_t rc;

    if (kept_rows_are_good(space, kept, 0, !is_again))
        return ompd_rc_ok;
    kept_rows_begin(kept, 0);
    rc = memory_owners_read(space);
    if (rc != ompd_rc_ok)
        return rc;
    shortfall_note(&kept->missing, space->stacks->owners.lacks_some);
    following.machine = module_first_machine(&space->target);
    shortfall_note(&kept->missing, following.machine == 0);
    rc = follow_threads(&following);
    if (rc != ompd_rc_ok)
        return rc;
    strike_threads(&following);
    kept_rows_end(space, kept);
    if (log_has(&space->target.log, ompd_cl_log_level_decision))
        return log_threads(space);
    return ompd_rc_ok;
}

const struct found_thread *found_thread_find(const struct address_space *space, uint64_t lwp)
{
    const struct found_thread *threads = space->stacks->threads.rows;

    for (uint32_t i = 0; i < space->stacks->threads.count; i++) {
        if (threads[i].lwp == lwp)
            return &threads[i];
    }
    return NULL;
}
