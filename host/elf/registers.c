/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See elf.h.  libdwfl reads them, as it knows where each machine stores them. */
#include <host/elf/elf.h>

#include <elf.h>

unsigned registers_stack_pointer(const ompd_host_target_t *target)
{
    switch (target->machine) {
    case EM_X86_64:
        return 7;
    case EM_386:
        return 4;
    case EM_AARCH64:
        return 31;
    case EM_ARM:
        return 13;
    case EM_PPC64:
        return 1;
    case EM_S390:
        return 15;
    case EM_RISCV:
        return 2;
    default:
        return REGISTER_COUNT;
    }
}

unsigned registers_preserved(const ompd_host_target_t *target, const uint8_t **numbers)
{
    static const uint8_t of_x86_64[] = {3, 6, 12, 13, 14, 15};
    static const uint8_t of_386[] = {3, 5, 6, 7};
    static const uint8_t of_aarch64[PRESERVED_LIMIT] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};

    switch (target->machine) {
    case EM_X86_64:
        *numbers = of_x86_64;
        return sizeof(of_x86_64);
    case EM_386:
        *numbers = of_386;
        return sizeof(of_386);
    case EM_AARCH64:
        *numbers = of_aarch64;
        return sizeof(of_aarch64);
    default:
        return 0;
    }
}

static bool registers_attach(ompd_host_target_t *target, struct symbols *symbols)
{
    static const Dwfl_Callbacks no_modules = {0};
    const struct core *core = &target->core;
    bool is_attached;

    if (symbols->registers != NULL)
        return true;
    symbols->registers = dwfl_begin(&no_modules);
    if (symbols->registers == NULL)
        return false;
    if (target_is_core(target)) {
        symbols->core = elf_memory((char *)(uintptr_t)core->bytes, core->size);
        is_attached =
            symbols->core != NULL && dwfl_core_file_attach(symbols->registers, symbols->core) > 0;
    } else {
        is_attached = dwfl_linux_proc_attach(symbols->registers, target->pid, true) == 0;
    }
    if (is_attached)
        return true;
    dwfl_end(symbols->registers);
    elf_end(symbols->core);
    symbols->registers = NULL;
    symbols->core = NULL;
    return false;
}

struct request {
    uint32_t lwp;
    struct registers *registers;
    bool is_done;
};

/* The first frame has the thread's own registers. */
static int frame_registers_copy(Dwfl_Frame *frame, void *argument)
{
    struct request *request = argument;
    struct registers *registers = request->registers;

    for (unsigned i = 0; i < REGISTER_COUNT; i++)
        registers->are_known[i] = dwfl_frame_reg(frame, i, &registers->values[i]) == 0;
    request->is_done = dwfl_frame_pc(frame, &registers->pc, NULL);
    return DWARF_CB_ABORT;
}

/* Iterates over all threads up to the last, ignoring the others.  Only then does elfutils 0.188
 * free its allocations for a core; with dwfl_getthread_frames it never does. */
static int thread_registers_find(Dwfl_Thread *thread, void *argument)
{
    struct request *request = argument;

    if (dwfl_thread_tid(thread) == (pid_t)request->lwp)
        dwfl_thread_getframes(thread, frame_registers_copy, request);
    return DWARF_CB_OK;
}

bool registers_read(ompd_host_target_t *target, struct symbols *symbols, uint32_t lwp,
                    struct registers *registers)
{
    const struct thread *thread = thread_find(target, lwp);
    struct request request = {lwp, registers, false};

    if (thread != NULL && thread->registers != NULL)
        return traced_registers_read(target, thread, registers);
    /* libdwfl finds the executable through the first thread, which may have ended. */
    if (!registers_attach(target, symbols))
        return !target_is_core(target) && traced_registers_ask(target, lwp, registers);
    if (target_is_core(target))
        dwfl_getthreads(symbols->registers, thread_registers_find, &request);
    else
        dwfl_getthread_frames(symbols->registers, (pid_t)lwp, frame_registers_copy, &request);
    return request.is_done;
}
