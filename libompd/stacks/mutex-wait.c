/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stacks/mutex-wait.h"

#include "base/text.h"
#include "stacks/function-start.h"
#include "target/module.h"

#include <string.h>

/* Frames of a thread that are looked at: the function that calls Linux, and what called that. */
#define FRAMES 4

/* A pthread_mutex_t of glibc on all machines: how far it is locked, a count, and who has locked it,
 * each an int. */
#define OWNER_PLACE 8
#define MUTEX_SIZE 12
#define IS_WAITED_FOR 2 /* locked, and another thread waits */

/* The register that has the first argument of a system call, where a thread that is in one keeps
 * it, by the machine's number in ELF. */
static const struct {
    uint32_t machine;
    uint32_t number;
} arguments[] = {
    {3, 3},  /* i386: %ebx */
    {62, 5}, /* x86-64: %rdi */
};

static bool is_of_c_library(const struct module *module)
{
    const char *name = text_file_name(module->name);

    return strncmp(name, "libc.so.", 8) == 0 || strncmp(name, "libpthread", 10) == 0;
}

void mutex_code_find(struct target *target, struct mutex_code *code)
{
    uint32_t machine = module_first_machine(target);
    struct module module;

    *code = (struct mutex_code){.count = 0};
    for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
        code->argument = arguments[i].machine == machine ? arguments[i].number : code->argument;
    if (code->argument == 0 || target->extra.frames == NULL)
        return;
    for (uint32_t i = 0; i < MODULE_LIMIT && code->count < 2; i++) {
        uint64_t function;

        if (module_get(target, i, &module) != ompd_rc_ok)
            return;
        if (is_of_c_library(&module) &&
            module_symbol(target, i, "pthread_mutex_lock", &function) == ompd_rc_ok) {
            code->all[code->count].module = i;
            code->all[code->count].start = module.start;
            code->all[code->count].end = module.end;
            code->all[code->count++].function = function;
        }
    }
}

/* Tell whether the code before PC, a return address, is of pthread_mutex_lock: the unwind tables
 * tell where the function begins. */
static bool is_of_lock(struct target *target, const struct mutex_code *code, uint64_t pc)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct module module;
        uint64_t start;

        if (pc > code->all[i].start && pc <= code->all[i].end &&
            module_get(target, code->all[i].module, &module) == ompd_rc_ok &&
            function_start_find(target, &module, pc - 1, &start) == ompd_rc_ok)
            return start == code->all[i].function;
    }
    return false;
}

/* Tell whether one of the innermost frames of STACK, but the first, is in pthread_mutex_lock. */
static bool is_locking(struct target *target, const struct mutex_code *code,
                       const struct thread_stack *stack)
{
    for (uint32_t i = 1; i < stack->frame_count && i < FRAMES; i++) {
        if (is_of_lock(target, code, stack->frames[i].pc))
            return true;
    }
    return false;
}

ompd_rc_t mutex_wait_find(struct target *target, const struct mutex_code *code, uint64_t lwp,
                          struct thread_stack *stack, struct mutex_wait *wait)
{
    const uint8_t *bytes;
    ompd_rc_t rc;

    if (code->count == 0)
        return ompd_rc_unavailable;
    thread_stack_get(target, lwp, FRAMES, stack);
    if (!is_locking(target, code, stack) ||
        !thread_register_get(stack, code->argument, &wait->mutex))
        return ompd_rc_unavailable;
    rc = target_view(target, wait->mutex, MUTEX_SIZE, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    wait->owner = (uint32_t)target_integer(target, bytes + OWNER_PLACE, 4);
    /* It may have got the mutex just now. */
    return target_integer(target, bytes, 4) == IS_WAITED_FOR && wait->owner != 0 &&
                   wait->owner != lwp
               ? ompd_rc_ok
               : ompd_rc_unavailable;
}
