/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * C libraries on Linux call fstat as fstatat(descriptor, "", ..., AT_EMPTY_PATH).  A process that
 * may call that may query any path: a filter cannot read the path, and another thread could change
 * it.  So the call is made here, as fstat.
 */
#include <config.h>

#include <host/sandbox/sandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* The registers of the call: arguments and result. */
#if defined(__x86_64__)
#define WORD(context, number) ((context)->uc_mcontext.gregs[number])
#define DESCRIPTOR(context) WORD(context, REG_RDI)
#define PATH(context) WORD(context, REG_RSI)
#define STATUS(context) WORD(context, REG_RDX)
#define FLAGS(context) WORD(context, REG_R10)
#define RESULT(context) WORD(context, REG_RAX)
#define STAT_CALL SYS_fstat
#elif defined(__i386__)
#define WORD(context, number) ((context)->uc_mcontext.gregs[number])
#define DESCRIPTOR(context) WORD(context, REG_EBX)
#define PATH(context) WORD(context, REG_ECX)
#define STATUS(context) WORD(context, REG_EDX)
#define FLAGS(context) WORD(context, REG_ESI)
#define RESULT(context) WORD(context, REG_EAX)
#define STAT_CALL SYS_fstat64
#elif defined(__aarch64__)
#define WORD(context, number) ((context)->uc_mcontext.regs[number])
#define DESCRIPTOR(context) WORD(context, 0)
#define PATH(context) WORD(context, 1)
#define STATUS(context) WORD(context, 2)
#define FLAGS(context) WORD(context, 3)
#define RESULT(context) WORD(context, 0)
#define STAT_CALL SYS_fstat
#endif

#if CONFINE_STAT_TRAPS

static void stat_descriptor(int signal, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;
    const char *path = (const char *)(uintptr_t)PATH(context);
    int error = errno;
    long result = -EPERM;

    (void)signal, (void)info;
    if ((FLAGS(context) & AT_EMPTY_PATH) != 0 && (path == NULL || path[0] == '\0')) {
        result = syscall(STAT_CALL, (int)DESCRIPTOR(context), STATUS(context));
        if (result < 0)
            result = -errno;
    }
    RESULT(context) = result;
    errno = error;
}

bool confine_stat_begin(void)
{
    struct sigaction action = {.sa_sigaction = stat_descriptor,
                               .sa_flags = SA_SIGINFO | SA_NODEFER};

    return sigaction(SIGSYS, &action, NULL) == 0;
}

#endif
