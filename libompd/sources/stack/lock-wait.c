/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread waits for in glibc, by its call stack and its registers. */
#include "sources/stack/stack.h"

#include "target/machine.h"

#include <string.h>

/* The number of frames examined: the functions of the C library that call Linux, and their
 * callers. */
#define FRAMES 6

/* A pthread_mutex_t of glibc on all machines: how far it is locked, a count, and who has locked it,
 * each an int. */
#define OWNER_PLACE 8
#define MUTEX_SIZE 20
#define IS_WAITED_FOR 2 /* locked, and another thread waits */
#define KIND_MASK 3     /* of the kind: PTHREAD_MUTEX_RECURSIVE and others */
#define KIND_NORMAL 0
#define KIND_ADAPTIVE 3

/* glibc's pthread_rwlock_t: a thread waits at one of these ints, the last of which is the
 * writer. */
#define RWLOCK_WORDS 4
#define RWLOCK_SIZE 32

#define NO_REGISTER UINT32_MAX

/* The registers of machines, by DWARF number, and the offsets of glibc's fields, by ELF machine
 * number. */
static const struct machine {
    uint32_t machine;
    uint32_t argument;  /* the first argument of a system call, during the call */
    uint32_t operation; /* the second, */
    uint32_t timeout;   /* and the fourth */
    uint32_t
        returns_to; /* has the return address of a system call during the call; NO_REGISTER: none */
    uint32_t tid;   /* offset of a thread's number in the struct that its pthread_t points to */
    uint32_t mutex_kind;   /* place of the kind in a mutex */
    uint32_t rwlock_owner; /* place of who writes in a lock of readers and writers */
} machines[] = {
    {3, 3, 1, 6, NO_REGISTER, 0x68, 12, 28}, /* i386: %ebx, %ecx, %esi */
    {62, 5, 4, 10, 2, 0x2d0, 16, 24},        /* x86-64: %rdi, %rsi, %r10; %rcx */
};

/* The operations of the futex call, without flags: FUTEX_WAIT, FUTEX_WAIT_BITSET.
 * FUTEX_PRIVATE_FLAG is set if only threads of the process wait. */
#define OPERATION_MASK 0x7f
#define OPERATION_WAIT 0
#define OPERATION_WAIT_BITSET 9
#define OPERATION_IS_PRIVATE 0x80

enum place { mutex_lock, rwlock_read, rwlock_write, condition_wait, process_abort, PLACE_COUNT };

static const char *const names[PLACE_COUNT] = {
    [mutex_lock] = "pthread_mutex_lock",
    [rwlock_read] = "pthread_rwlock_rdlock",
    [rwlock_write] = "pthread_rwlock_wrlock",
    [condition_wait] = "pthread_cond_wait",
    [process_abort] = "abort",
};

/* ---- The code -------------------------------------------------------------------------------- */

static bool is_of_c_library(const struct module *module)
{
    const char *name = text_file_name(module->name);

    return strncmp(name, "libc.so.", 8) == 0 || strncmp(name, "libpthread", 10) == 0;
}

static void add_lock_functions(struct target *target, struct lock_code *code, uint32_t index,
                               const struct module *module)
{
    for (uint8_t i = 0; i < PLACE_COUNT && code->count < LOCK_FUNCTIONS; i++) {
        uint64_t function;

        if (module_symbol(target, index, names[i], &function) == ompd_rc_ok)
            code->all[code->count++] =
                (struct lock_function){index, module->start, module->end, function, i};
    }
}

/* glibc's number of THREAD, from the tool or from glibc; 0: unknown. */
static uint32_t glibc_number(struct target *target, const struct lock_code *code,
                             const ompd_cl_target_thread_t *thread)
{
    const uint8_t *bytes;

    if (thread->own_lwp != 0)
        return (uint32_t)thread->own_lwp;
    if (thread->pthread == 0 || target_view(target, thread->pthread + machines[code->machine].tid,
                                            4, 0, &bytes) != ompd_rc_ok)
        return 0;
    return (uint32_t)target_integer(target, bytes, 4);
}

void lock_code_find(struct target *target, struct lock_code *code)
{
    uint32_t machine = module_first_machine(target);
    ompd_cl_target_thread_t thread;
    struct module module;
    bool is_known = false;

    *code = (struct lock_code){.count = 0};
    for (uint32_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        if (machines[i].machine != machine)
            continue;
        code->machine = i;
        is_known = true;
    }
    if (!is_known || target->extra.frames == NULL)
        return;
    for (uint32_t i = 0; i < MODULE_LIMIT; i++) {
        if (module_get(target, i, &module) != ompd_rc_ok)
            break;
        if (is_of_c_library(&module))
            add_lock_functions(target, code, i, &module);
    }
    if (code->count != 0 && thread_get(target, 0, &thread) == ompd_rc_ok) {
        uint32_t number = glibc_number(target, code, &thread);

        code->is_renumbered = number != 0 && number != (uint32_t)thread.lwp;
    }
}

/* The function of CODE that calls before PC, a return address, by the unwind tables; PLACE_COUNT:
 * none of them. */
static enum place lock_function_at(struct target *target, const struct lock_code *code, uint64_t pc)
{
    uint32_t looked_at = UINT32_MAX;
    uint64_t start = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        const struct lock_function *function = &code->all[i];
        struct module module;

        if (pc <= function->start || pc > function->end)
            continue;
        if (function->module != looked_at &&
            (module_get(target, function->module, &module) != ompd_rc_ok ||
             function_start_find(target, &module, pc - 1, &start) != ompd_rc_ok))
            return PLACE_COUNT;
        looked_at = function->module;
        if (start == function->function)
            return (enum place)function->place;
    }
    return PLACE_COUNT;
}

/* The function of one of the innermost frames of STACK except the first; PLACE_COUNT: none of
 * them. */
static enum place lock_function_of(struct target *target, const struct lock_code *code,
                                   const struct thread_stack *stack)
{
    enum place place = PLACE_COUNT;

    for (uint32_t i = 1; i < stack->frame_count && i < FRAMES && place == PLACE_COUNT; i++)
        place = lock_function_at(target, code, stack->frames[i].pc);
    return place;
}

bool lock_stack_aborts(struct target *target, const struct lock_code *code,
                       const struct thread_stack *stack)
{
    if (stack->frame_count == 0)
        return false;
    return lock_function_at(target, code, stack->frames[0].pc + 1) == process_abort ||
           lock_function_of(target, code, stack) == process_abort;
}

bool lock_stack_is_in_linux(const struct lock_code *code, const struct thread_stack *stack)
{
    uint32_t number = machines[code->machine].returns_to;
    uint64_t address;

    if (stack->frame_count == 0)
        return false;
    return number == NO_REGISTER ||
           (thread_register_get(stack, number, &address) && address == stack->frames[0].pc);
}

/* ---- The lock -------------------------------------------------------------------------------- */

/* The tool's number of the thread with glibc's NUMBER; 0: none. */
static uint32_t lwp_of_number(struct target *target, const struct lock_code *code, uint32_t number)
{
    ompd_cl_target_thread_t thread;

    if (!code->is_renumbered || number == 0)
        return number;
    for (uint32_t i = 0; thread_get(target, i, &thread) == ompd_rc_ok; i++) {
        if (glibc_number(target, code, &thread) == number)
            return (uint32_t)thread.lwp;
    }
    return 0;
}

/* The thread LWP waits for the mutex at ADDRESS. If it owns the mutex itself, it may have acquired
 * it just now, unless it is in Linux. Other kinds of mutexes may be locked again by their owner. */
static ompd_rc_t read_mutex(struct target *target, const struct lock_code *code, uint64_t lwp,
                            const struct thread_stack *stack, struct lock_wait *wait)
{
    const uint8_t *bytes;
    uint32_t kind;
    ompd_rc_t rc = target_view(target, wait->address, MUTEX_SIZE, 0, &bytes);

    if (rc != ompd_rc_ok)
        return rc;
    if (target_integer(target, bytes, 4) != IS_WAITED_FOR)
        return ompd_rc_unavailable;
    kind =
        (uint32_t)target_integer(target, bytes + machines[code->machine].mutex_kind, 4) & KIND_MASK;
    wait->owner =
        lwp_of_number(target, code, (uint32_t)target_integer(target, bytes + OWNER_PLACE, 4));
    if (wait->owner == 0)
        return ompd_rc_unavailable;
    if (wait->owner != lwp)
        return ompd_rc_ok;
    return machines[code->machine].returns_to != NO_REGISTER &&
                   lock_stack_is_in_linux(code, stack) &&
                   (kind == KIND_NORMAL || kind == KIND_ADAPTIVE)
               ? ompd_rc_ok
               : ompd_rc_unavailable;
}

/* A thread waits at a word of a read-write lock. Of the places where that lock may begin, it is the
 * one whose writer is a thread. Readers are not stored. */
static ompd_rc_t read_rwlock(struct target *target, const struct lock_code *code,
                             struct lock_wait *wait)
{
    uint64_t word = wait->address;
    uint32_t found = 0;

    for (uint32_t i = 0; i < RWLOCK_WORDS; i++) {
        uint64_t start = word - (uint64_t)i * 4;
        ompd_cl_target_thread_t thread;
        const uint8_t *bytes;
        uint32_t owner;

        if (start % target->pointer_size != 0 ||
            target_view(target, start, RWLOCK_SIZE, 0, &bytes) != ompd_rc_ok)
            continue;
        owner = (uint32_t)target_integer(target, bytes + machines[code->machine].rwlock_owner, 4);
        owner = lwp_of_number(target, code, owner);
        for (uint32_t number = 0; owner != 0 && thread_get(target, number, &thread) == ompd_rc_ok;
             number++) {
            if (thread.lwp != owner)
                continue;
            found++;
            wait->address = start;
            wait->owner = owner;
            break;
        }
    }
    return found == 1 ? ompd_rc_ok : ompd_rc_unavailable;
}

/* Return whether the thread with STACK waits in the call futex of Linux, for other processes as
 * well and for ever: so it does in pthread_join. */
static bool stack_joins(const struct lock_code *code, const struct thread_stack *stack)
{
    const struct machine *machine = &machines[code->machine];
    uint64_t operation;
    uint64_t timeout;

    if (!lock_stack_is_in_linux(code, stack) ||
        !thread_register_get(stack, machine->operation, &operation) ||
        !thread_register_get(stack, machine->timeout, &timeout) || timeout != 0 ||
        (operation & OPERATION_IS_PRIVATE) != 0)
        return false;
    return (operation & OPERATION_MASK) == OPERATION_WAIT ||
           (operation & OPERATION_MASK) == OPERATION_WAIT_BITSET;
}

/* The tool's number of the thread with the pthread_t; 0: none. */
static uint32_t lwp_of_pthread(struct target *target, uint64_t pthread)
{
    ompd_cl_target_thread_t thread;

    for (uint32_t i = 0; thread_get(target, i, &thread) == ompd_rc_ok; i++) {
        if (thread.pthread == pthread)
            return (uint32_t)thread.lwp;
    }
    return 0;
}

/* A thread that waits at the word with another thread's number waits for its end: Linux sets the
 * word to 0 then, in a dying process before others see it. The struct that a pthread_t points to
 * begins with its own address, and has it again behind another word. */
static ompd_rc_t read_join(struct target *target, const struct lock_code *code,
                           struct lock_wait *wait)
{
    uint64_t pthread = wait->address - machines[code->machine].tid;
    uint64_t first;
    uint64_t third;
    const uint8_t *bytes;
    uint32_t number;

    if (!target_word(target, pthread, &first) || first != pthread ||
        !target_word(target, pthread + UINT64_C(2) * target->pointer_size, &third) ||
        third != pthread || target_view(target, wait->address, 4, 0, &bytes) != ompd_rc_ok)
        return ompd_rc_unavailable;
    number = (uint32_t)target_integer(target, bytes, 4);
    wait->kind = ompd_cl_lock_thread;
    wait->address = 0;
    wait->owner =
        number != 0 ? lwp_of_number(target, code, number) : lwp_of_pthread(target, pthread);
    return wait->owner != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

ompd_rc_t lock_wait_find(struct target *target, const struct lock_code *code, uint64_t lwp,
                         struct thread_stack *stack, struct lock_wait *wait)
{
    enum place place;

    *wait = (struct lock_wait){.owner = 0};
    if (code->count == 0)
        return ompd_rc_unavailable;
    thread_stack_get(target, lwp, FRAMES, stack);
    if (!thread_register_get(stack, machines[code->machine].argument, &wait->address))
        return ompd_rc_unavailable;
    if (stack_joins(code, stack))
        return read_join(target, code, wait);
    place = lock_function_of(target, code, stack);
    switch (place) {
    case mutex_lock:
        wait->kind = ompd_cl_lock_mutex;
        return read_mutex(target, code, lwp, stack, wait);
    case rwlock_read:
    case rwlock_write:
        wait->kind = ompd_cl_lock_rwlock;
        return read_rwlock(target, code, wait);
    case condition_wait:
        wait->kind = ompd_cl_lock_condition;
        wait->address = 0; /* of a word within it */
        return ompd_rc_ok;
    default:
        return ompd_rc_unavailable;
    }
}
