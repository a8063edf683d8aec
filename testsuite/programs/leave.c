/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leaves objects alive, and ends: leave END, which is one of
 *
 *     nothing      it releases all, and exits
 *     exit         it exits with status 7
 *     events       the same, after three user events by one call and a program are left, too
 *     pair         the same, after two calls in one line that leave a buffer each
 *     segv, abort  it crashes
 *     call         it calls a NULL pointer
 *     call-data    it calls what is no code
 *     jump         on an x86, it jumps to NULL with a function's address on the stack
 *     kill         it kills itself, which nothing can tell of
 *     thread       a thread exits while the first waits for it
 *     last         the first thread ends, and another exits with status 5
 *     threads      the same, after THREADS threads that leave a buffer each
 *     exec         it becomes the same program with END nothing
 *     release      it releases its context once more than it may
 */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 200

static cl_context context;
static const char *end;

__attribute__((noinline)) static cl_mem make_buffer(size_t size)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);
    truth_require(memory != NULL, "no buffer");
    return memory;
}

static void leave_pair(void)
{
    cl_mem pair[] = {make_buffer(1024), make_buffer(1024)};
    (void)pair;
}

__attribute__((noinline)) static void leave_events(void)
{
    static const char *source = "kernel void nothing(void) {}";

    for (int i = 0; i < 3; i++)
        truth_require(clCreateUserEvent(context, NULL) != NULL, "no event");
    truth_require(clCreateProgramWithSource(context, 1, &source, NULL, NULL) != NULL, "no program");
}

static void *end_in_thread(void *first)
{
    if (strcmp(end, "thread") == 0)
        exit(3);
    pthread_join(*(pthread_t *)first, NULL);
    printf("last\n");
    exit(5);
}

static void *leave_buffer(void *unused)
{
    (void)unused;
    make_buffer(1000);
    return NULL;
}

static void end_by_thread(void)
{
    static pthread_t first;
    pthread_t thread;
    first = pthread_self();
    truth_require(pthread_create(&thread, NULL, end_in_thread, &first) == 0, "no thread");
    if (strcmp(end, "thread") == 0)
        pthread_join(thread, NULL);
    pthread_exit(NULL);
}

static void leave_buffers_by_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        truth_require(pthread_create(&threads[i], NULL, leave_buffer, NULL) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* Pointers that compilers must not look through. */
static void (*volatile missing_function)(void);
static int datum;

__attribute__((noinline)) static void call_where_no_code_is(void)
{
    missing_function();
    printf("not reached\n");
}

/* The newest word on the stack looks like a return address, but follows no call. */
__attribute__((noinline)) static void jump_to_null(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("push %0\n\tjmp *%1" ::"r"(&jump_to_null), "r"((void *)NULL));
#endif
}

/* As in a program of C++ whose operator new throws what nobody catches. */
void throw_exception(void) __asm__("__cxa_throw");
void *make_anything(size_t size) __asm__("_Znwm");

__attribute__((noinline)) void throw_exception(void)
{
    abort();
}

__attribute__((noinline)) void *make_anything(size_t size)
{
    if (size != 0)
        throw_exception();
    return &datum;
}

static void release_all(cl_mem *buffers, int count)
{
    for (int i = 0; i < count; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    cl_mem buffers[3];
    truth_require(argc == 2, "usage: leave END");
    end = argv[1];
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    buffers[0] = make_buffer(100);
    /* Two by one call: a compiler that knew how many could make two calls of it. */
    for (int i = 1; i < argc + 1; i++)
        buffers[i] = make_buffer(4096);
    printf("output\n");
    fprintf(stderr, "errors\n");
    fflush(stdout);
    if (strcmp(end, "segv") == 0)
        *(volatile int *)NULL = 1;
    /* Some runtimes handle it: behind a handler a call of no code cannot be followed. */
    signal(SIGSEGV, SIG_DFL);
    if (strcmp(end, "call-data") == 0)
        missing_function = (void (*)(void))(uintptr_t)&datum;
    if (strncmp(end, "call", 4) == 0)
        call_where_no_code_is();
    if (strcmp(end, "jump") == 0)
        jump_to_null();
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "no-memory") == 0)
        truth_require(make_anything((size_t)argc) == NULL, "there is memory");
    if (strcmp(end, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(end, "threads") == 0)
        leave_buffers_by_threads();
    if (strcmp(end, "thread") == 0 || strcmp(end, "last") == 0 || strcmp(end, "threads") == 0)
        end_by_thread();
    if (strcmp(end, "exec") == 0)
        execl(argv[0], argv[0], "nothing", (char *)NULL);
    if (strcmp(end, "pair") == 0)
        leave_pair();
    if (strcmp(end, "events") == 0)
        leave_events();
    if (strcmp(end, "exit") == 0 || strcmp(end, "pair") == 0 || strcmp(end, "events") == 0)
        return 7;
    if (strcmp(end, "release") == 0) {
        clReleaseContext(context);
        clReleaseContext(context);
        _exit(0);
    }
    release_all(buffers, 3);
    return 0;
}
