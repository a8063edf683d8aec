/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The call stacks of a target's threads, unwound by libdwfl. */
#include <host/module.h>

#include <string.h>

struct frames {
    ompd_host_frame_t *frames;
    size_t capacity;
    size_t count;
};

struct request {
    ompd_host_target_t *target;
    struct symbols *symbols;
    uint32_t lwp;
    struct frames *frames;
    ompd_host_rc_t rc;
};

static int take_frame(Dwfl_Frame *frame, void *argument)
{
    struct frames *frames = argument;
    Dwarf_Addr address;
    bool is_exact;

    if (!dwfl_frame_pc(frame, &address, &is_exact))
        return DWARF_CB_ABORT;
    frames->frames[frames->count++] = (ompd_host_frame_t){address, !is_exact};
    return frames->count < frames->capacity ? DWARF_CB_OK : DWARF_CB_ABORT;
}

/* Passes over all threads but the one that is wanted: elfutils 0.188 never frees what
 * dwfl_getthread_frames allocates for a core. */
static int take_thread(Dwfl_Thread *thread, void *argument)
{
    struct request *request = argument;

    if (dwfl_thread_tid(thread) == (pid_t)request->lwp)
        dwfl_thread_getframes(thread, take_frame, request->frames);
    return DWARF_CB_OK;
}

static void take_frames(struct request *request)
{
    Dwfl *dwfl = request->symbols->dwfl;

    if (target_is_core(request->target))
        dwfl_getthreads(dwfl, take_thread, request);
    else
        dwfl_getthread_frames(dwfl, (pid_t)request->lwp, take_frame, request->frames);
}

static bool attach(struct request *request)
{
    struct symbols *symbols = request->symbols;
    const struct core *core = &request->target->core;

    if (symbols->is_attached)
        return true;
    if (!target_is_core(request->target)) {
        symbols->is_attached =
            dwfl_linux_proc_attach(symbols->dwfl, request->target->pid, true) == 0;
        return symbols->is_attached;
    }
    if (symbols->core == NULL)
        symbols->core = elf_memory((char *)(uintptr_t)core->bytes, core->size);
    symbols->is_attached =
        symbols->core != NULL && dwfl_core_file_attach(symbols->dwfl, symbols->core) > 0;
    return symbols->is_attached;
}

/* Runs where the target may be traced.  What was had before a stack that cannot be followed to its
 * end is good. */
static void unwind(void *argument)
{
    struct request *request = argument;

    request->rc = ompd_host_rc_error;
    if (attach(request))
        take_frames(request);
    if (request->frames->count != 0)
        request->rc = ompd_host_rc_ok;
    else
        target_message_set(request->target, request->rc, "the stack of thread %u is not known: %s",
                           request->lwp, dwfl_errmsg(-1));
}

static bool has_thread(const ompd_host_target_t *target, uint32_t lwp)
{
    for (size_t i = 0; i < target->thread_count; i++) {
        if (target->threads[i].lwp == lwp)
            return true;
    }
    return false;
}

PUBLIC ompd_host_rc_t ompd_host_stack_get(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                                          ompd_host_frame_t *frames, size_t *count)
{
    struct frames found = {frames, capacity, 0};
    struct request request = {.target = target, .lwp = lwp, .frames = &found};
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (frames == NULL || count == NULL || capacity == 0)
        return target_message_set(target, ompd_host_rc_bad_input, "there is no room for the stack");
    if (target_is_running(target))
        return target_message_set(target, ompd_host_rc_not_permitted,
                                  "process %d is running: its stacks change", (int)target->pid);
    if (!has_thread(target, lwp))
        return target_message_set(target, ompd_host_rc_not_found, "there is no thread %u", lwp);
    rc = symbols_get(target, &request.symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    process_run(target, unwind, &request);
    if (request.rc != ompd_host_rc_ok)
        return request.rc;
    *count = found.count;
    return target_message_clear(target);
}
