/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL layer that counts calls and stops the process at some of them, at the same ones in each
 * run.  The file INNOCENT_PAUSES has 64-bit numbers: the number of calls, and those at which to
 * stop.  Every other stop comes shortly after its call began.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CALLS 256 /* that a dispatch table has at most */
#define THUNK 16  /* bytes of each */
#define MOMENT 100000
#define MAX_STOPS 64

struct pauses {
    uint64_t calls;
    uint64_t stops[MAX_STOPS]; /* ascending; 0 behind the last */
};

static struct pauses *pauses;
static pid_t process; /* its children are not stopped */
static timer_t timer;
static const void *targets[CALLS];
static const void *thunks[CALLS];

/* One for each call: it asks pauses_call() for the next layer's function, and goes on there with
 * the caller's arguments and return address.  None of OpenCL's functions takes floating-point
 * arguments. */
#ifdef __x86_64__
#define HAS_THUNKS true
extern const char pauses_thunks[];
__asm__(".text\n"
        ".set pauses_number, 0\n"
        ".p2align 4\n"
        "pauses_thunks:\n"
        ".rept 256\n"
        ".p2align 4\n"
        ".cfi_startproc\n"
        "pushq $pauses_number\n"
        ".cfi_adjust_cfa_offset 8\n"
        "jmp pauses_enter\n"
        ".cfi_endproc\n"
        ".set pauses_number, pauses_number + 1\n"
        ".endr\n"
        "pauses_enter:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa_offset 16\n"
        ".irp register, rdi, rsi, rdx, rcx, r8, r9\n"
        "pushq %\\register\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".endr\n"
        "movq 48(%rsp), %rdi\n"
        "call pauses_call\n"
        "movq %rax, %r11\n"
        ".irp register, r9, r8, rcx, rdx, rsi, rdi\n"
        "popq %\\register\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".endr\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "jmp *%r11\n"
        ".cfi_endproc\n");
#else
#define HAS_THUNKS false /* nothing is counted */
static const char pauses_thunks[CALLS * THUNK];
#endif

static void stop_soon(void)
{
    const struct itimerspec soon = {.it_value = {.tv_nsec = MOMENT}};

    timer_settime(timer, 0, &soon, NULL);
}

/* Count call NUMBER, and stop where that is asked for; the function to go on in. */
__attribute__((used)) static const void *pauses_call(uint64_t number)
{
    int saved = errno;
    uint64_t calls;

    if (pauses != NULL && getpid() == process) {
        calls = __atomic_add_fetch(&pauses->calls, 1, __ATOMIC_RELAXED);
        for (size_t i = 0; i < MAX_STOPS && pauses->stops[i] != 0; i++) {
            if (pauses->stops[i] == calls && i % 2 == 0)
                kill(process, SIGSTOP);
            else if (pauses->stops[i] == calls)
                stop_soon();
        }
    }
    errno = saved;
    return targets[number];
}

static void open_pauses(void)
{
    const char *path = getenv("INNOCENT_PAUSES");
    struct sigevent stops = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGSTOP};
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *shared;

    if (file < 0 || timer_create(CLOCK_MONOTONIC, &stops, &timer) != 0)
        return;
    shared = mmap(NULL, sizeof(*pauses), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    process = getpid();
    pauses = shared != MAP_FAILED ? shared : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
                                               size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    if (name != CL_LAYER_API_VERSION || (value != NULL && size < sizeof(version)))
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, &version, sizeof(version));
    if (size_ret != NULL)
        *size_ret = sizeof(version);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *next,
                                            cl_uint *count_ret,
                                            const struct _cl_icd_dispatch **table_ret)
{
    if (count > CALLS)
        return CL_INVALID_VALUE;
    *count_ret = count;
    *table_ret = next;
    if (!HAS_THUNKS)
        return CL_SUCCESS;
    if (pauses == NULL)
        open_pauses();
    memcpy(targets, next, count * sizeof(*targets));
    for (size_t i = 0; i < CALLS; i++)
        thunks[i] = &pauses_thunks[i * THUNK];
    for (size_t i = 0; i < count; i++)
        if (targets[i] == NULL)
            thunks[i] = NULL;
    *table_ret = (const void *)thunks;
    return CL_SUCCESS;
}
