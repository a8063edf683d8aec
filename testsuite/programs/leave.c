/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leaves objects alive, and ends: leave END, where END is one of
 *
 *     nothing      it releases everything, and exits
 *     exit         it exits with status 7
 *     events       the same, after leaving three user events made by one call, and a program
 *     pair         the same, after two calls in one line that leave one buffer each
 *     trio         the same, after three, of which the last leaves none
 *     bound        the same, after a binding leaves three buffers, and a fourth is refused
 *     segv, abort  it crashes
 *     call         it calls a NULL pointer
 *     call-data    it calls an address that is not code
 *     jump         on an x86, it jumps to NULL with a function's address on the stack
 *     kill         it kills itself, which nothing can intercept
 *     thread       a thread exits while the first waits for it
 *     last         the first thread ends, and another exits with status 5
 *     untold       the same, before its tracer is notified that the first ended
 *     threads      as last, after THREADS threads that leave a buffer each
 *     exec         it becomes the same program with END nothing
 *     release      it releases its context once too often
 */
#include "bindings/CL/opencl.hpp"
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 200
#define MANY_FILES 16384
#define LOOKS 2000

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

static void leave_two_of_trio(void)
{
    cl_mem trio[] = {make_buffer(1024), make_buffer(1024), make_buffer(1024)};
    clReleaseMemObject(trio[2]);
}

/* Two of them by one line. */
__attribute__((noinline)) static void leave_bound(void)
{
    for (int i = 0; i < 2; i++)
        truth_require(bound_call(context, 4096) != NULL, "no buffer");
    truth_require(bound_inline(context, 256) != NULL, "no buffer");
    truth_require(bound_call(context, 0) == NULL, "a buffer of no size");
}

__attribute__((noinline)) static void leave_events(void)
{
    static const char *source = "kernel void nothing(void) {}";

    for (int i = 0; i < 3; i++)
        truth_require(clCreateUserEvent(context, NULL) != NULL, "no event");
    truth_require(clCreateProgramWithSource(context, 1, &source, NULL, NULL) != NULL, "no program");
}

/* ---- untold ---------------------------------------------------------------------------------- */

static sem_t is_tracer_stopped;

/* The state of thread LWP, as in /proc; 'X' when it has ended. */
static char state_of(pid_t lwp)
{
    char path[64], line[512];
    const char *name_end = NULL;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return 'X';
    if (fgets(line, sizeof(line), file) != NULL)
        name_end = strrchr(line, ')');
    fclose(file);
    return name_end == NULL ? 'X' : name_end[2];
}

static void stay_on_first_processor(void)
{
    cpu_set_t allowed, first;
    int processor = 0;

    CPU_ZERO(&first);
    truth_require(sched_getaffinity(0, sizeof(allowed), &allowed) == 0, "no processors");
    while (!CPU_ISSET(processor, &allowed))
        processor++;
    CPU_SET(processor, &first);
    truth_require(sched_setaffinity(0, sizeof(first), &first) == 0, "no processor");
}

/* A process beside the program: let TRACER continue when LAST ends, and keep FIRST off the
 * processor until TRACER is notified of that. */
static void keep_busy(pid_t tracer, pid_t first, pid_t last)
{
    stay_on_first_processor();
    while (state_of(last) != 't')
        continue;
    kill(tracer, SIGCONT);
    for (int i = 0; i < LOOKS && strchr("ZX", state_of(first)) == NULL; i++)
        continue;
    _exit(0);
}

/* Make the end of this thread slow: it closes files that only it has. */
static void have_many_files(void)
{
    struct rlimit limit;

    truth_require(unshare(CLONE_FILES) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0, "no files");
    limit.rlim_cur = limit.rlim_max < MANY_FILES ? limit.rlim_max : MANY_FILES;
    truth_require(setrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit");
    while (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
        continue;
}

/* The first thread ends, with the least right to a processor. */
static void end_idle(void)
{
    const struct sched_param none = {0};

    have_many_files();
    stay_on_first_processor();
    truth_require(sched_setscheduler(0, SCHED_IDLE, &none) == 0, "not idle");
    sem_wait(&is_tracer_stopped);
    syscall(SYS_exit, 0);
}

/* End the program when its first thread is at its end, of which the tracer was not notified. */
static void end_untold(void)
{
    pid_t tracer = getppid();
    pid_t first = getpid();
    pid_t last = (pid_t)syscall(SYS_gettid);
    pid_t helper = fork();

    truth_require(helper >= 0, "no process");
    if (helper == 0)
        keep_busy(tracer, first, last);
    kill(tracer, SIGSTOP);
    while (state_of(tracer) != 'T')
        continue;
    sem_post(&is_tracer_stopped);
    while (state_of(first) != 't')
        continue;
    _exit(5);
}

/* ---- The other ends -------------------------------------------------------------------------- */

static void *end_in_thread(void *first)
{
    if (strcmp(end, "thread") == 0)
        exit(3);
    if (strcmp(end, "untold") == 0)
        end_untold();
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
    sem_init(&is_tracer_stopped, 0, 0);
    truth_require(pthread_create(&thread, NULL, end_in_thread, &first) == 0, "no thread");
    if (strcmp(end, "thread") == 0)
        pthread_join(thread, NULL);
    if (strcmp(end, "untold") == 0)
        end_idle();
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

/* Pointers that compilers must not optimise. */
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

/* As in a C++ program whose operator new throws an uncaught exception. */
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
    /* Two by one call: a compiler that knew the count could make two calls of it. */
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
    if (strcmp(end, "thread") == 0 || strcmp(end, "last") == 0 || strcmp(end, "untold") == 0 ||
        strcmp(end, "threads") == 0)
        end_by_thread();
    if (strcmp(end, "exec") == 0)
        execl(argv[0], argv[0], "nothing", (char *)NULL);
    if (strcmp(end, "pair") == 0)
        leave_pair();
    if (strcmp(end, "trio") == 0)
        leave_two_of_trio();
    if (strcmp(end, "bound") == 0)
        leave_bound();
    if (strcmp(end, "events") == 0)
        leave_events();
    if (strcmp(end, "exit") == 0 || strcmp(end, "pair") == 0 || strcmp(end, "events") == 0 ||
        strcmp(end, "bound") == 0 || strcmp(end, "trio") == 0)
        return 7;
    if (strcmp(end, "release") == 0) {
        clReleaseContext(context);
        clReleaseContext(context);
        _exit(0);
    }
    release_all(buffers, 3);
    return 0;
}
