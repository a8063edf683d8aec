/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creates buffers of 1, 2 and 3 times GRAIN bytes, and one of 4 times as many in a thread that then
 * waits: confined [sealed].
 *
 * With `sealed` the kernel kills the process if it opens a file, creates a socket or starts a
 * program after it has begun to create buffers.  It writes the line "main" and ends at the end of
 * its input.
 */
#include "runtime.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define GRAIN 64
#define IN_MAIN 3 /* buffers */

static cl_context context;
static pthread_barrier_t is_made;

static void seal(void)
{
#define KILL_FOR(name)                                                                             \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_open
        KILL_FOR(open),
#endif
#ifdef SYS_creat
        KILL_FOR(creat),
#endif
#ifdef SYS_openat2
        KILL_FOR(openat2),
#endif
        KILL_FOR(openat),
        KILL_FOR(socket),
        KILL_FOR(execve),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    truth_require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
                  "not sealed");
}

static void buffer_make(size_t size)
{
    truth_require(clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL) != NULL,
                  "no buffer");
}

static void *thread_run(void *nothing)
{
    buffer_make((size_t)GRAIN * (IN_MAIN + 1));
    pthread_barrier_wait(&is_made);
    for (;;)
        pthread_barrier_wait(&is_made);
    return nothing;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    runtime_t runtime;
    runtime_find(&runtime);
    pthread_barrier_init(&is_made, NULL, 2);
    if (argc == 2 && strcmp(argv[1], "sealed") == 0)
        seal();
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    truth_require(context != NULL, "no context");
    for (size_t i = 1; i <= IN_MAIN; i++)
        buffer_make(GRAIN * i);
    truth_require(pthread_create(&thread, NULL, thread_run, NULL) == 0, "no thread");
    pthread_barrier_wait(&is_made);
    puts("main");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    return 0;
}
