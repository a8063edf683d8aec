/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that the caller traces, with the registers that it passed: they may have ended since. */
#include <host/process/process.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define MOST_REGISTERS 4096 /* bytes: more than NT_PRSTATUS has on any machine */

ompd_host_rc_t traced_threads_take(ompd_host_target_t *target,
                                   const ompd_host_traced_thread_t *threads, size_t count)
{
    target->threads = calloc(count, sizeof(target->threads[0]));
    for (size_t i = 0; target->threads != NULL && i < count; i++) {
        struct thread *thread = &target->threads[i];

        thread->lwp = threads[i].lwp;
        thread->registers = malloc(threads[i].size != 0 ? threads[i].size : 1);
        if (thread->registers == NULL)
            break;
        memcpy(thread->registers, threads[i].registers, threads[i].size);
        thread->registers_size = threads[i].size;
        target->thread_count++;
    }
    if (target->thread_count == count)
        return ompd_host_rc_ok;
    return target_message_set(target, ompd_host_rc_nomem, "out of memory");
}

bool traced_threads_make_sense(const ompd_host_traced_thread_t *threads, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (threads[i].lwp == 0 || threads[i].size > MOST_REGISTERS ||
            (threads[i].registers == NULL && threads[i].size != 0))
            return false;
    return count != 0;
}

/* The kernel's register numbers of a machine, in DWARF order. */
struct order {
    uint16_t machine; /* EM_ of <elf.h> */
    uint8_t size;     /* of a register, in bytes */
    uint8_t pc;
    uint8_t count;
    uint8_t numbers[32];
};

static const struct order orders[] = {
    {EM_X86_64, 8, 16, 16, {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0}},
    {EM_386, 4, 12, 8, {6, 1, 2, 0, 15, 5, 3, 4}},
    {EM_AARCH64, 8, 32, 32, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
};

/* The kernel's register number of fs_base on x86-64. */
#define FS_BASE 21

void traced_pthreads_read(ompd_host_target_t *target)
{
    for (size_t i = 0; target->machine == EM_X86_64 && i < target->thread_count; i++) {
        struct thread *thread = &target->threads[i];
        struct bytes bytes = {thread->registers, thread->registers_size, target->is_swapped};

        if (bytes.size >= (FS_BASE + 1u) * 8)
            thread->pthread = bytes_number(bytes, FS_BASE * 8u, 8);
    }
}

bool traced_registers_read(const ompd_host_target_t *target, const struct thread *thread,
                           struct registers *registers)
{
    struct bytes bytes = {thread->registers, thread->registers_size, target->is_swapped};

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        const struct order *order = &orders[i];

        if (order->machine != target->machine || bytes.size < (order->pc + 1u) * order->size)
            continue;
        *registers = (struct registers){
            .pc = bytes_number(bytes, (uint64_t)order->pc * order->size, order->size)};
        for (unsigned j = 0; j < order->count; j++) {
            uint64_t offset = (uint64_t)order->numbers[j] * order->size;

            registers->values[j] = bytes_number(bytes, offset, order->size);
            registers->are_known[j] = true;
        }
        return true;
    }
    return false;
}

bool traced_registers_ask(const ompd_host_target_t *target, uint32_t lwp,
                          struct registers *registers)
{
    uint8_t bytes[MOST_REGISTERS];
    struct iovec place = {bytes, sizeof(bytes)};
    struct thread thread = {.lwp = lwp, .registers = bytes};

    if (ptrace(PTRACE_GETREGSET, (pid_t)lwp, (void *)(uintptr_t)NT_PRSTATUS, &place) != 0)
        return false;
    thread.registers_size = place.iov_len;
    return traced_registers_read(target, &thread, registers);
}
