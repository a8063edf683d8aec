/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program with children: family WORD ..., which it executes in order:
 *
 *     use         create an OpenCL context, and a thread that waits
 *     buffer      make a buffer, and never release it
 *     made        make a buffer, and release it
 *     mapped      the same, but leave it mapped
 *     refused     the same, and register an invalid callback
 *     end         release the context
 *     fork        continue in a child, and exit with its status when it has ended; with 3 if killed
 *     killed      the same, but kill the child when it is ready
 *     leave       continue in a child without open files, and exit when that is ready
 *     vfork       try to run a missing program, in a child that shares the memory
 *     exec        execute the program that the next words name
 *     other       the same from another thread
 *     spawn       run that by posix_spawn(), and exit with its status
 *     ready       notify the parent
 *     wait        write its process id, and wait for a signal
 *     abort
 */
#include "runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static runtime_t runtime;
static cl_context context;
static char **rest; /* words */
static int ready[2];

static void *wait_always(void *argument)
{
    for (;;)
        pause();
    return argument;
}

static void wait_openly(void)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
    wait_always(NULL);
}

/* Runtimes have threads, but not the one that most tests use. */
static void use(void)
{
    pthread_t thread;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    truth_require(context != NULL, "no context");
    truth_require(pthread_create(&thread, NULL, wait_always, NULL) == 0, "no thread");
}

__attribute__((noinline)) static cl_mem make_buffer(void)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);

    /* Else the call may be the end of the function, which then is on no stack. */
    __asm__ volatile("" : "+r"(buffer));
    return buffer;
}

static void leave_mapped(void)
{
    cl_command_queue queue = runtime_queue_create(&runtime, context, 0);
    cl_mem buffer = make_buffer();

    clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, NULL);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
}

static void have_refused(void)
{
    cl_mem buffer = make_buffer();

    clSetMemObjectDestructorCallback(buffer, NULL, NULL);
    clReleaseMemObject(buffer);
}

static void await_ready(void)
{
    char byte;

    close(ready[1]);
    truth_require(read(ready[0], &byte, 1) == 1, "no child");
}

static void hold_no_files(void)
{
    for (int file = 0; file <= 2; file++)
        dup2(open("/dev/null", O_RDWR), file);
}

/* Returns in the child. */
static void go_on_in_child(const char *word)
{
    int status;
    pid_t child;

    truth_require(pipe(ready) == 0, "no pipe");
    child = fork();
    if (child == 0) {
        if (strcmp(word, "leave") == 0)
            hold_no_files();
        return;
    }
    if (strcmp(word, "fork") != 0)
        await_ready();
    if (strcmp(word, "leave") == 0)
        exit(0);
    if (strcmp(word, "killed") == 0)
        kill(child, SIGTERM);
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

static void try_vfork(void)
{
    pid_t child = vfork();

    if (child == 0) {
        execl("/no/such/program", "program", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void *become(void *argument)
{
    execvp(rest[0], rest);
    return argument;
}

static void become_elsewhere(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, become, NULL);
    pthread_join(thread, NULL);
}

static void spawn(void)
{
    pid_t child;
    int status;

    truth_require(posix_spawnp(&child, rest[0], NULL, NULL, rest, environ) == 0, "no child");
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

static void obey(const char *word)
{
    if (strcmp(word, "use") == 0)
        use();
    else if (strcmp(word, "buffer") == 0)
        make_buffer();
    else if (strcmp(word, "mapped") == 0)
        leave_mapped();
    else if (strcmp(word, "made") == 0)
        clReleaseMemObject(make_buffer());
    else if (strcmp(word, "refused") == 0)
        have_refused();
    else if (strcmp(word, "end") == 0)
        clReleaseContext(context);
    else if (strcmp(word, "vfork") == 0)
        try_vfork();
    else if (strcmp(word, "exec") == 0)
        exit(become(NULL) != NULL);
    else if (strcmp(word, "other") == 0)
        become_elsewhere();
    else if (strcmp(word, "spawn") == 0)
        spawn();
    else if (strcmp(word, "ready") == 0)
        truth_require(write(ready[1], "", 1) == 1, "no parent");
    else if (strcmp(word, "wait") == 0)
        wait_openly();
    else if (strcmp(word, "abort") == 0)
        abort();
    else
        go_on_in_child(word);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        rest = argv + i + 1;
        obey(argv[i]);
    }
    return 0;
}
