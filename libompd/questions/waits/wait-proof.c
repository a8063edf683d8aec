/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The proof that nobody can set a user event, or flush a queue. */
#include "questions/waits/waits.h"

#include <string.h>

/* ---- Modules --------------------------------------------------------------------------------- */

/* By the beginnings of their names: libraries that runtimes have, with threads of their own. */
static const char *const runtime_libraries[] = {
    "libLLVM",    "libclang", "libgallium", "libnvidia-",      "libcuda.so",  "libamdocl",
    "libhsa-run", "libigdrc", "libigc.so",  "libze_intel_gpu", "libamd_comgr"};

static const char *const language_libraries[] = {
    "ld-linux", "ld64",   "libstdc++.so", "libgcc_s.so", "libm.so",
    "libm-",    "libc++", "[vdso]",       "linux-vdso",  "linux-gate"};

/* Libraries with signal handlers that call no code of the program. LLVM and the libraries that it
 * installs clean up and end, or set a word that is read later, as Python does. */
static const char *const quiet_libraries[] = {"libbsd.so",  "libedit.so", "libz3.so",
                                              "libpython",  "python",     "libtinfo",
                                              "libncurses", "libreadline"};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool begins_with_any(const char *name, const char *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(name, all[i], strlen(all[i])) == 0)
            return true;
    }
    return false;
}

static void set_bit(uint64_t *bits, uint32_t number)
{
    bits[number / 64] |= UINT64_C(1) << number % 64;
}

static bool has_bit(const uint64_t *bits, uint32_t number)
{
    return (bits[number / 64] >> number % 64 & 1) != 0;
}

static bool module_is_runtime(const struct wait_graph *graph, const struct owner_module *module)
{
    return has_bit(graph->modules.of_runtimes, module->index);
}

static bool module_is_language(const struct wait_graph *graph, const struct owner_module *module)
{
    return has_bit(graph->modules.of_languages, module->index);
}

/* Find the roles of modules. */
static ompd_rc_t read_modules(struct wait_graph *graph)
{
    struct address_space *space = graph->visit->space;
    ompd_rc_t rc = graph->modules.is_known ? ompd_rc_ok : memory_owners_read(space);

    if (rc != ompd_rc_ok || graph->modules.is_known)
        return rc;
    for (uint32_t i = 0; i < space->stacks->owners.module_count; i++) {
        const struct owner_module *module = &space->stacks->owners.modules[i];
        struct module told = {.start = 0};
        const char *name = told.name;

        if (module_get(&space->target, module->index, &told) == ompd_rc_ok)
            name = text_file_name(told.name);
        if (module->role == module_of_runtime ||
            begins_with_any(name, runtime_libraries, COUNT_OF(runtime_libraries)))
            set_bit(graph->modules.of_runtimes, module->index);
        else if (module->role == module_of_c_library ||
                 begins_with_any(name, language_libraries, COUNT_OF(language_libraries)))
            set_bit(graph->modules.of_languages, module->index);
    }
    graph->modules.is_known = true;
    return ompd_rc_ok;
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* The module with the code of frame NUMBER of STACK; NULL if none is known. */
static const struct owner_module *frame_module(const struct address_space *space,
                                               const struct thread_stack *stack, uint32_t number)
{
    const ompd_cl_frame_t *frame = &stack->frames[number];

    return owner_module_find(&space->stacks->owners,
                             frame->is_caller != 0 ? frame->pc - 1 : frame->pc);
}

ompd_rc_t wait_thread_confirm(struct wait_graph *graph, const struct wait_node *thread,
                              bool *is_confirmed)
{
    struct address_space *space = graph->visit->space;
    struct thread_stack *stack = &space->stack;
    ompd_rc_t rc;

    *is_confirmed = space->target.extra.frames == NULL || space->target.extra.module == NULL;
    rc = *is_confirmed ? ompd_rc_ok : read_modules(graph);
    if (rc != ompd_rc_ok || *is_confirmed)
        return rc;
    thread_stack_get(&space->target, thread->lwp, THREAD_FRAMES, stack);
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        const struct owner_module *module = frame_module(space, stack, i);

        if (module == NULL)
            break;
        *is_confirmed = module->role == module_of_recorder || module_is_runtime(graph, module);
        if (*is_confirmed || !module_is_language(graph, module))
            break;
    }
    return ompd_rc_ok;
}

/* Whether the thread with STACK is a runtime's own and waits in Linux for work. The C library
 * started it for the runtime, and no code of the program is on its stack. */
static bool is_idle_worker(const struct wait_graph *graph, const struct lock_code *code,
                           const struct thread_stack *stack)
{
    bool has_runtime = false;

    if (stack->frame_count < 2 || stack->frame_count == THREAD_FRAMES)
        return false;
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        const struct owner_module *module = frame_module(graph->visit->space, stack, i);
        bool is_end = i == 0 || i == stack->frame_count - 1;

        if (module == NULL)
            return false;
        if (!module_is_language(graph, module) && (is_end || !module_is_runtime(graph, module)))
            return false;
        has_runtime |= module_is_runtime(graph, module);
    }
    return has_runtime && lock_stack_is_in_linux(code, stack);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Set *WAITS to whether NODE, a thread that waits in OpenCL or for a lock of one that does, will
 * not continue without another thread. */
static ompd_rc_t check_node(struct wait_graph *graph, const struct wait_node *node,
                            bool is_of_flush, bool *waits)
{
    *waits = wait_node_is_stuck(node) && (node->end != ompd_cl_wait_end_unflushed || is_of_flush);
    return *waits && node->lock == 0 ? wait_thread_confirm(graph, node, waits) : ompd_rc_ok;
}

/* The same for the thread LWP by its stack: it waits for the end of a thread or for its lock, is in
 * abort(), or waits for work of a runtime. */
static ompd_rc_t check_stack(struct wait_graph *graph, const struct lock_code *code, uint64_t lwp,
                             bool *waits)
{
    struct address_space *space = graph->visit->space;
    struct lock_wait lock;
    ompd_rc_t rc = lock_wait_find(&space->target, code, lwp, &space->stack, &lock);

    if (rc_is_final(rc))
        return rc;
    shortfall_note(graph->visit->missing, rc == ompd_rc_incomplete);
    *waits = rc == ompd_rc_ok && lock.kind != ompd_cl_lock_condition &&
             wait_thread_find(graph, lock.owner) != NO_NODE;
    if (*waits)
        return ompd_rc_ok;
    thread_stack_get(&space->target, lwp, THREAD_FRAMES, &space->stack);
    *waits = lock_stack_aborts(&space->target, code, &space->stack) ||
             is_idle_worker(graph, code, &space->stack);
    return ompd_rc_ok;
}

/* Find a thread that may go on. */
static ompd_rc_t find_free_thread(struct wait_graph *graph, bool is_of_flush,
                                  struct wait_proof *proof)
{
    struct target *target = &graph->visit->space->target;
    struct lock_code code;
    ompd_rc_t rc = ompd_rc_ok;
    ompd_rc_t told = ompd_rc_ok;

    lock_code_find(target, &code);
    for (uint32_t i = 0; rc == ompd_rc_ok && proof->other == 0; i++) {
        ompd_cl_target_thread_t thread;
        uint32_t number;
        bool waits = false;

        told = thread_get(target, i, &thread);
        if (told != ompd_rc_ok)
            break;
        number = wait_thread_find(graph, thread.lwp);
        if (number != NO_NODE)
            rc = check_node(graph, &graph->nodes[number], is_of_flush, &waits);
        if (rc == ompd_rc_ok && !waits)
            rc = check_stack(graph, &code, thread.lwp, &waits);
        if (rc == ompd_rc_ok && !waits)
            proof->other = thread.lwp;
    }
    if (rc_is_final(told))
        return told;
    shortfall_note(graph->visit->missing, told == ompd_rc_incomplete);
    if (told != ompd_rc_ok && told != ompd_rc_unavailable)
        proof->reason = "not all threads of the process are known";
    return rc;
}

/* ---- What else may run ----------------------------------------------------------------------- */

/* Whether destructor callbacks are registered: a user of an object may be its last. */
static bool has_destructors(const struct wait_graph *graph)
{
    struct registry *registry = &graph->visit->space->recorder->registry;
    uint64_t live;
    ompd_rc_t rc =
        registry_count_live(registry, &registry->tables[ompd_cl_registry_callback], &live);

    shortfall_note(graph->visit->missing, rc == ompd_rc_incomplete);
    return rc != ompd_rc_ok || live != 0;
}

/* Return whether a callback may be called because its event is over or a command continues. */
static bool may_call_back(const struct wait_graph *graph, bool is_of_flush)
{
    bool is_called_at_end;

    if (!graph->has_commands || !graph->has_callbacks || graph->has_dropped ||
        graph->has_calls_to_come)
        return true;
    is_called_at_end = graph->command_count != 0 && has_destructors(graph);
    for (uint32_t i = 0; i < graph->command_count; i++) {
        const struct wait_node *command = &graph->nodes[i];
        bool is_stuck = wait_node_is_stuck(command) &&
                        (command->end != ompd_cl_wait_end_unflushed || is_of_flush);

        if (!is_stuck && (command->has_callback || is_called_at_end))
            return true;
    }
    return false;
}

/* The functions that install a handler. */
static const char *const handler_functions[] = {"signal",      "sigaction",  "__sigaction",
                                                "sysv_signal", "bsd_signal", "__sysv_signal",
                                                "ssignal",     "sigset",     "sigvec"};

/* Find a module of the program that may have installed a handler of a signal. */
static ompd_rc_t find_handler(struct wait_graph *graph, struct wait_proof *proof)
{
    struct address_space *space = graph->visit->space;

    for (uint32_t i = 0; i < space->stacks->owners.module_count && proof->reason == NULL; i++) {
        const struct owner_module *module = &space->stacks->owners.modules[i];
        struct module told;
        bool has = false;
        ompd_rc_t rc;

        if (module->role == module_of_recorder || module_is_runtime(graph, module) ||
            module_is_language(graph, module))
            continue;
        rc = module_get(&space->target, module->index, &told);
        if (rc == ompd_rc_ok &&
            begins_with_any(text_file_name(told.name), quiet_libraries, COUNT_OF(quiet_libraries)))
            continue;
        if (rc == ompd_rc_ok)
            rc = module_imports_any(&space->target, &told, handler_functions,
                                    COUNT_OF(handler_functions), &has);
        if (rc_is_final(rc))
            return rc;
        shortfall_note(graph->visit->missing, rc == ompd_rc_incomplete);
        if (rc != ompd_rc_ok)
            proof->reason = "it is not known whether the program handles signals";
        else if (has)
            proof->reason = "a signal handler may do so";
    }
    return ompd_rc_ok;
}

ompd_rc_t wait_proof_find(struct wait_graph *graph, bool is_of_flush, struct wait_proof *proof)
{
    struct address_space *space = graph->visit->space;
    ompd_rc_t rc;

    *proof = (struct wait_proof){.other = 0};
    if (space->target.extra.frames == NULL || space->target.extra.thread == NULL ||
        space->target.extra.module == NULL) {
        proof->reason = "what other threads do is not known";
        return ompd_rc_ok;
    }
    if (may_call_back(graph, is_of_flush)) {
        proof->reason = "pending work may lead to that";
        return ompd_rc_ok;
    }
    rc = read_modules(graph);
    if (rc == ompd_rc_ok)
        rc = find_free_thread(graph, is_of_flush, proof);
    if (rc == ompd_rc_ok && proof->other == 0 && proof->reason == NULL)
        rc = find_handler(graph, proof);
    proof->is_proved = rc == ompd_rc_ok && proof->other == 0 && proof->reason == NULL;
    return rc;
}
