/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <string.h>

#define FRAMES 32 /* maximum depth of a handler */

/* Distance from the end of a handler's frame to its siginfo_t, in the signal frame of Linux on
 * x86-64: the size of the kernel's struct ucontext, which differs from the C library's. */
#define SIZE_OF_CONTEXT 304

/* Whether the thread that is at ADDRESS has just made a system call.  A signal that it gets
 * there was sent by itself, whatever si_code says. */
static bool is_behind_call(struct command_session *session, uint64_t address)
{
#if defined(__x86_64__) || defined(__i386__)
    static const unsigned char calls[][2] = {{0x0f, 0x05}, {0xcd, 0x80}};
    unsigned char code[2];

    if (ompd_host_memory_read(session->target, address - sizeof(code), sizeof(code), code) !=
        ompd_host_rc_ok)
        return false;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (memcmp(code, calls[i], sizeof(code)) == 0)
            return true;
#else
    (void)session;
    (void)address;
#endif
    return false;
}

/* Replace *SIGNAL by the siginfo_t of the handler whose frame ends at FRAME_ADDRESS. */
static void read_first(struct command_session *session, uint64_t frame_address, siginfo_t *signal)
{
#if defined(__x86_64__) && defined(__LP64__)
    siginfo_t first;

    if (frame_address != 0 &&
        ompd_host_memory_read(session->target, frame_address + SIZE_OF_CONTEXT, sizeof(first),
                              &first) == ompd_host_rc_ok &&
        first.si_signo == signal->si_signo)
        *signal = first;
#else
    (void)session;
    (void)frame_address;
    (void)signal;
#endif
}

size_t command_reraised_signal_find(struct command_session *session, uint32_t lwp,
                                    siginfo_t *signal)
{
    ompd_host_frame_t frames[FRAMES];
    size_t count = 0;

    if (ompd_host_stack_get(session->target, lwp, FRAMES, frames, &count) != ompd_host_rc_ok)
        return 0;
    /* A fault of the handler itself is a signal of its own. */
    if (signal->si_code > 0 && !is_behind_call(session, frames[0].address))
        return 0;
    /* The handler is followed by the code that it returns to, and then by the interrupted code. */
    for (size_t i = 1; i + 1 < count; i++) {
        if (frames[i].is_caller || frames[i + 1].is_caller)
            continue;
        read_first(session, frames[i - 1].frame_address, signal);
        return i + 1;
    }
    return 0;
}
