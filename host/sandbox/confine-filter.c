/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The filter is a list of allowed system calls, grouped by purpose.  All others fail with EPERM and
 * do not kill the process: elfutils tries to open files that it can do without, and a C library may
 * try newer calls than this list has.
 */
#include <config.h>

#include <host/sandbox/sandbox.h>

#include <errno.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#endif

#if defined(HAVE_LIBSECCOMP) && !defined(HAS_SANITIZER)

#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* TCGETS2 of x86 and ARM, used by newer C libraries.  Its header conflicts with the C library's. */
#define GET_TERMIOS2 UINT32_C(0x802c542a)

/* On machines with mmap2, the arguments of mmap are in memory, where no filter can check them. */
#ifdef __NR_mmap2
#define MAP_CALL SCMP_SYS(mmap2)
#else
#define MAP_CALL SCMP_SYS(mmap)
#endif

/* Allowed with any arguments. */
static const int calls[] = {
    /* To write the answer or a snapshot, and to seek in files. */
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(_llseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    /* To request files; there is only one socket. */
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    /* Memory. */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    /* To handle signals and to exit. */
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    /* Information about the process itself and the time.  Progress needs the clock, malloc
     * random numbers, and qsort the amount of memory. */
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo),
    /* Locks of the C library. */
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
};

/* Allowed for all but the standard descriptors.  The answer may go to a terminal, from which the
 * user's input could be read. */
static const int calls_of_files[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
};

/* A call that is allowed if the bits MASK of argument number INDEX are BITS. */
struct condition {
    int call;
    unsigned index;
    scmp_datum_t mask;
    scmp_datum_t bits;
};

static const struct condition conditions[] = {
    /* Data memory: no page becomes executable. */
    {MAP_CALL, 2, PROT_EXEC, 0},
    {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
    /* malloc returns memory and requests huge pages.  No other advice is allowed, such as that
     * which takes memory from other users. */
    {SCMP_SYS(madvise), 2, UINT32_MAX, MADV_DONTNEED},
    {SCMP_SYS(madvise), 2, UINT32_MAX, MADV_FREE},
    {SCMP_SYS(madvise), 2, UINT32_MAX, MADV_HUGEPAGE},
#if !CONFINE_STAT_TRAPS
    /* fstat, as C libraries call it, with a descriptor.  A path would show whether a file
     * exists. */
    {SCMP_SYS(newfstatat), 3, AT_EMPTY_PATH, AT_EMPTY_PATH},
    {SCMP_SYS(fstatat64), 3, AT_EMPTY_PATH, AT_EMPTY_PATH},
    {SCMP_SYS(statx), 2, AT_EMPTY_PATH, AT_EMPTY_PATH},
#endif
    /* Whether the answer goes to a terminal, and its width.  Nothing that changes the terminal
     * or injects input. */
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, GET_TERMIOS2},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCGWINSZ},
    /* Whether a descriptor is open, and its mode; for libelf. */
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFD},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFL},
    {SCMP_SYS(fcntl64), 1, UINT32_MAX, F_GETFD},
    {SCMP_SYS(fcntl64), 1, UINT32_MAX, F_GETFL},
};

static scmp_filter_ctx filter;

bool confine_filter_is_known(void)
{
    return true;
}

static int allow_if(const struct condition *condition)
{
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, condition->call, 1,
        SCMP_CMP64(condition->index, SCMP_CMP_MASKED_EQ, condition->mask, condition->bits));
}

/*
 * fstat, as C libraries call it, with an empty path.  A filter cannot check the path, so
 * confine-stat.c makes the call without one.  A C library that tries statx first continues as on a
 * kernel without it.
 */
static int trap_stat(void)
{
    int result = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(newfstatat), 0);

    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(fstatat64), 0);
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(statx), 0);
    return result;
}

static int add_rules(void)
{
    int result = 0;

    for (size_t i = 0; result == 0 && i < sizeof(calls) / sizeof(calls[0]); i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
    for (size_t i = 0; result == 0 && i < sizeof(calls_of_files) / sizeof(calls_of_files[0]); i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls_of_files[i], 1,
                                  SCMP_CMP64(0, SCMP_CMP_GT, STDERR_FILENO, 0));
    for (size_t i = 0; result == 0 && i < sizeof(conditions) / sizeof(conditions[0]); i++)
        result = allow_if(&conditions[i]);
    if (CONFINE_STAT_TRAPS && result == 0)
        result = trap_stat();
    return result;
}

int confine_filter_prepare(void)
{
    int result = 0;

    if (filter != NULL)
        return 0;
    filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    result = filter != NULL ? add_rules() : -ENOMEM;
    if (result == 0)
        return 0;
    seccomp_release(filter);
    filter = NULL;
    return -result;
}

/* Signals to itself, by raise and abort. */
static int allow_own_signals(void)
{
    const struct condition own[] = {
        {SCMP_SYS(tgkill), 0, UINT32_MAX, (scmp_datum_t)getpid()},
        {SCMP_SYS(tkill), 0, UINT32_MAX, (scmp_datum_t)getpid()},
        {SCMP_SYS(kill), 0, UINT32_MAX, (scmp_datum_t)getpid()},
    };
    int result = 0;

    for (size_t i = 0; result == 0 && i < sizeof(own) / sizeof(own[0]); i++)
        result = allow_if(&own[i]);
    return result;
}

int confine_filter_load(void)
{
    int result;

    /* Programs executed later get no more privileges than this one; without this, only root may
     * set a filter. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    result = allow_own_signals();
    if (result == 0 && CONFINE_STAT_TRAPS && !confine_stat_begin())
        return errno;
    if (result == 0)
        result = seccomp_load(filter);
    return -result;
}

#else

bool confine_filter_is_known(void)
{
    return false;
}

int confine_filter_prepare(void)
{
    return ENOSYS;
}

int confine_filter_load(void)
{
    return ENOSYS;
}

#endif
