/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Crashes: die WAY, where WAY is one of
 *
 *     call       in an OpenCL call with unmapped memory
 *     callback   in a destructor callback
 *     thread     in another thread than the first, which waits in OpenCL
 *     gone       by using freed SVM whose memory the runtime has unmapped
 *     deep       by endless recursion
 *     handled    by a second fault, after one that it has handled
 *     other-kind in a call for memory objects with an event
 *     released   in a call that retains a released object
 *     denied     by writing to its own constants, which are mapped
 *     argument   in a call whose second argument was never set
 *     wait-list  in a call whose wait list has an uninitialised event
 *
 * Before that it writes a line of JSON to the standard output: the line and the address of the
 * fatal code.
 */
#include "runtime.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define LARGE ((size_t)64 << 20) /* bytes: malloc returns such blocks to the system at once */

static runtime_t runtime;
static cl_context context;
static int *volatile nowhere = (int *)64;
static int *volatile elsewhere = (int *)128;
static sigjmp_buf before;

static void announce(int line, const void *address)
{
    printf("{\"line\": %d, \"address\": \"%p\"}\n", line, address);
    fflush(stdout);
}

/* As a class of C++ for OpenCL would. */
cl_mem make_buffer(int line) __asm__("_ZN2cl6Buffer4makeEi");
__attribute__((noinline)) cl_mem make_buffer(int line)
{
    announce(line, nowhere);
    cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, nowhere, NULL);
    clReleaseMemObject(memory);
    return memory;
}

/* Make any call on HANDLE crash: it has a loader's table of calls at its beginning. */
static void break_object(int line, void *handle)
{
    announce(line, handle);
    *(void **)handle = nowhere;
}

static void release_other_kind(void)
{
    int line = __LINE__ + 1;
    cl_event event = clCreateUserEvent(context, NULL);
    break_object(line, event);
    clReleaseMemObject((cl_mem)(void *)event);
}

static void retain_released(void)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    int line = __LINE__ + 1;
    clReleaseMemObject(memory);
    break_object(line, memory);
    clRetainMemObject(memory);
}

static void write_constant(void)
{
    static const int constant = 1;
    int *volatile place = (int *)(uintptr_t)&constant;
    announce(__LINE__ + 1, place);
    *place = 2;
}

/* Die in a call whose second argument, or the event that it waits for, was never set. */
static void read_unset(int is_event)
{
    cl_command_queue queue = runtime_queue_create(&runtime, context, 0);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    void *unset;
    char byte;
    memset(&unset, 0x5a, sizeof(unset));
    announce(__LINE__ + 2, unset);
    cl_event events[] = {unset};
    clEnqueueReadBuffer(queue, is_event ? memory : unset, CL_FALSE, 0, 1, &byte, is_event != 0,
                        is_event ? events : NULL, NULL);
}

static void CL_CALLBACK write_nowhere(cl_mem memory, void *user_data)
{
    (void)memory, (void)user_data;
    announce(__LINE__ + 1, nowhere);
    *nowhere = 1;
}

static void release_buffer(void)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    truth_require(memory != NULL, "no buffer");
    truth_require(clSetMemObjectDestructorCallback(memory, write_nowhere, NULL) == CL_SUCCESS,
                  "no callback");
    clReleaseMemObject(memory);
}

static void *write_in_thread(void *unused)
{
    (void)unused;
    announce(__LINE__ + 1, nowhere);
    *nowhere = 1;
    return NULL;
}

static void use_freed(void)
{
    volatile char *bytes = clSVMAlloc(context, CL_MEM_READ_WRITE, LARGE, 0);
    truth_require(bytes != NULL, "no SVM");
    clSVMFree(context, (void *)(uintptr_t)bytes);
    announce(__LINE__ + 1, (const void *)(uintptr_t)(bytes + LARGE / 2));
    bytes[LARGE / 2] = 1;
}

__attribute__((noinline)) static int call_again(int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return depth < 0 ? 0 : call_again(depth + 1) + frame[0];
}

static void go_back(int signal)
{
    (void)signal;
    siglongjmp(before, 1);
}

static void die_handled(void)
{
    signal(SIGSEGV, go_back);
    if (sigsetjmp(before, 1) == 0)
        *elsewhere = 1;
    signal(SIGSEGV, SIG_DFL);
    announce(__LINE__ + 1, nowhere);
    *nowhere = 1;
}

/* The second signal shows the reason of the first, as with PoCL. */
static bool is_told_again;

/* As crash reporters do: on a separate stack, and the second time for good. */
static void raise_again(int number, siginfo_t *told, void *registers)
{
    (void)registers;
    if (is_told_again)
        syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, told);
    else
        syscall(SYS_tgkill, getpid(), gettid(), number);
}

static void die_raised_again(void)
{
    static char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
    struct sigaction action = {
        .sa_sigaction = raise_again,
        .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (unsigned)SA_RESETHAND)};
    truth_require(sigaltstack(&stack, NULL) == 0, "no stack");
    truth_require(sigaction(SIGSEGV, &action, NULL) == 0, "no handler");
    announce(__LINE__ + 1, nowhere);
    *nowhere = 1;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    cl_event gate;
    truth_require(argc == 2, "usage: die WAY");
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    truth_require(context != NULL, "no context");
    if (strcmp(argv[1], "call") == 0)
        make_buffer(__LINE__);
    if (strcmp(argv[1], "callback") == 0) {
        release_buffer();
        pause(); /* some runtimes call it later, in a thread of their own */
    }
    if (strcmp(argv[1], "thread") == 0) {
        truth_require(pthread_create(&thread, NULL, write_in_thread, NULL) == 0, "no thread");
        gate = clCreateUserEvent(context, NULL);
        clWaitForEvents(1, &gate);
    }
    if (strcmp(argv[1], "gone") == 0)
        use_freed();
    if (strcmp(argv[1], "deep") == 0)
        call_again(0);
    if (strcmp(argv[1], "other-kind") == 0)
        release_other_kind();
    if (strcmp(argv[1], "released") == 0)
        retain_released();
    if (strcmp(argv[1], "denied") == 0)
        write_constant();
    if (strcmp(argv[1], "argument") == 0)
        read_unset(0);
    if (strcmp(argv[1], "wait-list") == 0)
        read_unset(1);
    if (strcmp(argv[1], "handled") == 0)
        die_handled();
    is_told_again = strcmp(argv[1], "told-again") == 0;
    if (is_told_again || strcmp(argv[1], "raised-again") == 0)
        die_raised_again();
    return 1;
}
