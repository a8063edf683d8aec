/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leaves calls and callbacks of OpenCL without returning from them: left abort | wait | main | end
 *
 * Destructor callbacks end in longjmp() and in pthread_exit(), one forks, a thread's own
 * destructors call OpenCL until glibc stops calling them, and a signal handler leaves clFinish.
 * Writes a line of JSON to its standard output with the three buffers, the LWPs that ran their
 * callbacks, and the child. No OpenCL call is active then. With the word `main` it only does one
 * thing: the main thread ends, and another writes its own LWP and that of the process. With
 * `end` it ends the child and itself.
 */
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static cl_context context;
static jmp_buf before;
static sigjmp_buf before_finish;
static pthread_key_t key;
static pid_t child;
static pid_t ended;

static pid_t lwp(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static cl_mem make(void)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

static void CL_CALLBACK jump(cl_mem buffer, void *user_data)
{
    (void)buffer;
    (void)user_data;
    longjmp(before, 1);
}

static void CL_CALLBACK end_thread(cl_mem buffer, void *user_data)
{
    (void)buffer;
    (void)user_data;
    pthread_exit(NULL);
}

static void CL_CALLBACK start_child(cl_mem buffer, void *user_data)
{
    (void)buffer;
    (void)user_data;
    child = fork();
    while (child == 0)
        pause();
}

/* Make a buffer with FUNCTION, and release it. */
static cl_mem release(void(CL_CALLBACK *function)(cl_mem, void *))
{
    cl_mem buffer = make();
    clSetMemObjectDestructorCallback(buffer, function, NULL);
    clReleaseMemObject(buffer);
    return buffer;
}

static cl_mem jump_out(void)
{
    static cl_mem buffer; /* survives longjmp() */
    buffer = make();
    clSetMemObjectDestructorCallback(buffer, jump, NULL);
    if (setjmp(before) == 0)
        clReleaseMemObject(buffer);
    return buffer;
}

static void *run_and_end(void *buffer)
{
    ended = lwp();
    *(cl_mem *)buffer = make();
    clSetMemObjectDestructorCallback(*(cl_mem *)buffer, end_thread, NULL);
    clReleaseMemObject(*(cl_mem *)buffer);
    return NULL;
}

static void destroy(void *value)
{
    clReleaseMemObject(make());
    pthread_setspecific(key, value);
}

static void *call_in_the_end(void *unused)
{
    pthread_setspecific(key, &key);
    return unused;
}

static void run_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    truth_require(pthread_create(&thread, NULL, function, argument) == 0, "no thread");
    pthread_join(thread, NULL);
}

static void leave_finish(int number)
{
    (void)number;
    siglongjmp(before_finish, 1);
}

/* Wait for what never comes, for a moment. */
static void finish(const runtime_t *runtime)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
    cl_command_queue queue = runtime_queue_create(runtime, context, 0);
    cl_event unset = clCreateUserEvent(context, NULL);
    static char bytes[64]; /* the command outlives this call */
    clEnqueueWriteBuffer(queue, make(), CL_FALSE, 0, sizeof(bytes), bytes, 1, &unset, NULL);
    signal(SIGALRM, leave_finish);
    if (sigsetjmp(before_finish, 1) == 0) {
        setitimer(ITIMER_REAL, &soon, NULL);
        clFinish(queue);
    }
}

/* Wait until Linux has ended the main thread, then for ever. */
static void *outlive_main(void *unused)
{
    char path[64];
    char state = 0;
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
    while (state != 'Z') {
        FILE *file = fopen(path, "r");
        truth_require(file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1, "no state");
        fclose(file);
        sched_yield();
    }
    make();
    printf("{\"lwp\": %d, \"pid\": %d}\n", lwp(), getpid());
    fflush(stdout);
    while (pause() != 0)
        continue;
    return unused;
}

static void end_main(void)
{
    pthread_t thread;
    truth_require(pthread_create(&thread, NULL, outlive_main, NULL) == 0, "no thread");
    pthread_exit(NULL);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    cl_mem of_ended = NULL;
    truth_require(argc == 2, "usage: left abort | wait | main | end");
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    if (strcmp(argv[1], "main") == 0)
        end_main();
    pthread_key_create(&key, destroy);
    cl_mem forked = release(start_child);
    cl_mem jumped = jump_out();
    run_thread(run_and_end, &of_ended);
    run_thread(call_in_the_end, NULL);
    finish(&runtime);
    printf(
        "{\"lwp\": %d, \"child\": %d, \"forked\": \"%p\", \"jumped\": \"%p\", \"ended\": \"%p\", "
        "\"ended_lwp\": %d}\n",
        lwp(), child, (void *)forked, (void *)jumped, (void *)of_ended, ended);
    fflush(stdout);
    if (strcmp(argv[1], "abort") == 0)
        abort();
    if (strcmp(argv[1], "end") == 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        return 0;
    }
    for (;;)
        pause();
}
