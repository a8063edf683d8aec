/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Waits for something that never comes, or that is only slow:
 * waiting NAME wrong|right [stay|wait].
 *
 * A thread that never enters OpenCL waits until the others wait, writes a line of JSON to the
 * standard output with what they wait for, and aborts.  With `stay` it waits for the first thread
 * to end instead.  With `wait` it does so, too, until there is input; then the process aborts.  In
 * each of these cases no other thread can help, since the only one that does not wait never enters
 * OpenCL.
 */
#include "waiting.h"

#include "thread-truth.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

scene_t scene;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t waiter_count;  /* threads that are to wait, and */
static size_t waiters_ready; /* that are about to wait */
static pthread_t watcher;
static pthread_t first_thread;

/* ---- Observer -------------------------------------------------------------------------------- */

static void tell(pid_t process)
{
    printf(
        "{\"queue\": \"%p\", \"other_queue\": \"%p\", \"gate\": \"%p\", \"other_gate\": \"%p\", "
        "\"program\": \"%p\", \"gate_line\": %d, \"other_gate_line\": %d, \"line\": %d, "
        "\"other_line\": %d, \"third_line\": %d, \"lwp\": %d, \"other\": %d, \"lock\": \"%p\"}\n",
        (void *)scene.queue, (void *)scene.other_queue, (void *)scene.gate,
        (void *)scene.other_gate, (void *)scene.program, scene.gate_line, scene.other_gate_line,
        scene.line, scene.other_line, scene.third_line, (int)process, (int)scene.other, scene.lock);
    fflush(stdout);
}

/* Whether the thread LWP of another process sleeps. */
static bool sleeps(pid_t process, pid_t lwp)
{
    char text[512] = "";
    const char *name_end;
    FILE *file;

    snprintf(text, sizeof(text), "/proc/%d/task/%d/stat", (int)process, (int)lwp);
    file = fopen(text, "r");
    truth_require(file != NULL && fgets(text, sizeof(text), file) != NULL, "no state");
    fclose(file);
    name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'S';
}

/* In another process: check that the thread LWP of PROCESS waits, too, before anything is reported,
 * and end that process when it is time. */
static void tell_of(pid_t process, pid_t lwp)
{
    while (!sleeps(process, lwp))
        sched_yield();
    tell(process);
    if (scene.is_to_wait)
        truth_await_input();
    /* LLVM, which is in PoCL, takes the first signal for itself. */
    while (scene.is_to_wait && getppid() == process) {
        syscall(SYS_tgkill, process, lwp, SIGABRT); /* not a thread that waits */
        sched_yield();
    }
    _exit(0);
}

static void stay_to_the_end(void)
{
    pid_t process = getpid();
    pid_t lwp = gettid();
    pid_t child = fork();

    truth_require(child >= 0, "no child");
    if (child == 0)
        tell_of(process, lwp);
    if (!pthread_equal(first_thread, pthread_self()))
        pthread_join(first_thread, NULL);
    for (;;)
        pause();
}

static void stop(void)
{
    thread_truth_wait_all();
    if (scene.is_to_stay || scene.is_to_wait)
        stay_to_the_end();
    tell(getpid());
    abort();
}

static void *watch(void *argument)
{
    (void)argument;
    while (__atomic_load_n(&waiters_ready, __ATOMIC_ACQUIRE) < waiter_count)
        sched_yield();
    stop();
    return NULL;
}

/* COUNT threads are going to wait. */
void expect(size_t count)
{
    waiter_count = count;
    truth_require(pthread_create(&watcher, NULL, watch, NULL) == 0, "no thread");
}

/* This thread is about to wait, or to do what never ends. */
void wait_begins(void)
{
    __atomic_add_fetch(&waiters_ready, 1, __ATOMIC_RELEASE);
}

/* Without the recorder a call that the function ends with would leave no trace on its stack. */
void finish(void)
{
    wait_begins();
    truth_require(clFinish(scene.queue) == CL_SUCCESS, "no end");
}

/* ---- What they wait for ---------------------------------------------------------------------- */

/* A kernel that runs until the end of the test. If a runtime ends loops that have run very often,
 * as llvmpipe does, the work items take that long. */
cl_event spin(cl_command_queue queue, int *line)
{
    static const char source[] = "kernel void spin(global volatile int *word)"
                                 "{ while (word[0] == 0) ; }";
    const char *text = source;
    const size_t size = (size_t)1 << 24;
    const int zero = 0;
    cl_event event;
    cl_program program = clCreateProgramWithSource(scene.context, 1, &text, NULL, NULL);
    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "spin", NULL);
    cl_mem word = clCreateBuffer(scene.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 sizeof(zero), (void *)(uintptr_t)&zero, NULL);
    truth_require(clSetKernelArg(kernel, 0, sizeof(word), &word) == CL_SUCCESS, "no argument");
    truth_require(AT(*line, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL,
                                                   &event)) == CL_SUCCESS,
                  "no kernel runs");
    return event;
}

/* A command that waits for the gate, or one that is only slow; with its event. */
static cl_event pending(void)
{
    cl_event event;
    if (!scene.is_wrong)
        return spin(scene.queue, &scene.line);
    truth_require(AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &scene.gate,
                                                             &event)) == CL_SUCCESS,
                  "no marker");
    return event;
}

static void user_finish(void)
{
    expect(1);
    pending();
    finish();
}

static void user_events(void)
{
    cl_event event = pending();
    expect(1);
    wait_begins();
    clWaitForEvents(1, &event);
}

/* Of the events the first is over. */
static void several_events(void)
{
    cl_event events[] = {clCreateUserEvent(scene.context, NULL), scene.gate, scene.other_gate};
    clSetUserEventStatus(events[0], CL_COMPLETE);
    if (!scene.is_wrong) {
        events[1] = spin(scene.queue, &scene.line);
        events[2] = spin(scene.other_queue, &scene.other_line);
    }
    expect(1);
    wait_begins();
    clWaitForEvents(3, events);
}

static void user_read(void)
{
    int number;
    cl_mem buffer = clCreateBuffer(scene.context, CL_MEM_READ_WRITE, sizeof(number), NULL, NULL);
    cl_event event = scene.is_wrong ? scene.gate : pending();
    clFlush(scene.queue);
    expect(1);
    wait_begins();
    AT(scene.other_line, clEnqueueReadBuffer(scene.other_queue, buffer, CL_TRUE, 0, sizeof(number),
                                             &number, 1, &event, NULL));
}

/* A thread that has called OpenCL and may set the gate. */
static void *set_later(void *argument)
{
    (void)argument;
    clRetainEvent(scene.gate);
    scene.other = gettid();
    wait_begins();
    for (;;)
        pause();
    return NULL;
}

/* The mistake is that this thread is not there. */
static void user_set_later(void)
{
    pthread_t thread;
    expect(scene.is_wrong ? 1 : 2);
    truth_require(AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &scene.gate, NULL)) ==
                      CL_SUCCESS,
                  "no marker");
    truth_require(scene.is_wrong || pthread_create(&thread, NULL, set_later, NULL) == 0,
                  "no thread");
    while (!scene.is_wrong && __atomic_load_n(&waiters_ready, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    finish();
}

void CL_CALLBACK set_event(cl_event event, cl_int status, void *to_be_set)
{
    (void)event;
    (void)status;
    clSetUserEventStatus(to_be_set, CL_COMPLETE);
}

/* Each of two events is set when the command that waits for the other one is over. */
static void event_cycle(void)
{
    cl_event first;
    cl_event second;
    AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &scene.gate, &first));
    clSetEventCallback(first, CL_COMPLETE, set_event, scene.other_gate);
    AT(scene.other_line,
       clEnqueueMarkerWithWaitList(scene.other_queue, 1, &scene.other_gate, &second));
    clSetEventCallback(second, CL_COMPLETE, set_event, scene.gate);
    clFlush(scene.other_queue);
    if (scene.is_wrong)
        expect(1);
    else
        clSetUserEventStatus(scene.gate, CL_COMPLETE);
    if (scene.is_wrong)
        wait_begins();
    truth_require(clFinish(scene.queue) == CL_SUCCESS, "no end");
    truth_require(clFinish(scene.other_queue) == CL_SUCCESS, "no end");
}

static struct {
    size_t count;
    cl_event gate;
} named;

static void CL_CALLBACK set_named(cl_event event, cl_int status, void *names)
{
    (void)event;
    (void)status;
    (void)names;
    clSetUserEventStatus(named.gate, CL_COMPLETE);
}

/* The gate is set when a command is over; the mistake is that the command waits for the gate. */
static void named_cycle(void)
{
    cl_event first;
    named.gate = scene.gate;
    truth_require(AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &scene.gate,
                                                             &first)) == CL_SUCCESS,
                  "no marker");
    if (!scene.is_wrong)
        first = spin(scene.other_queue, &scene.other_line);
    clSetEventCallback(first, CL_COMPLETE, set_named, &named);
    clFlush(scene.other_queue);
    expect(1);
    finish();
}

/* Opens the gate, once it has the lock. */
static void CL_CALLBACK lock_in_callback(cl_event event, cl_int status, void *gate)
{
    (void)event;
    (void)status;
    scene.other = gettid();
    wait_begins();
    if (scene.is_wrong)
        pthread_mutex_lock(&lock);
    else
        for (;;)
            pause();
    clSetUserEventStatus(gate, CL_COMPLETE);
}

static void *open_door(void *door)
{
    clSetUserEventStatus(door, CL_COMPLETE);
    return NULL;
}

/* The mistake is that this thread has the lock while it waits for what needs the lock. */
static void mutex_cycle(void)
{
    pthread_t thread;
    cl_event door = clCreateUserEvent(scene.context, NULL);
    expect(2);
    clSetEventCallback(door, CL_COMPLETE, lock_in_callback, scene.gate);
    truth_require(AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &scene.gate, NULL)) ==
                      CL_SUCCESS,
                  "no marker");
    scene.lock = &lock;
    pthread_mutex_lock(&lock);
    truth_require(pthread_create(&thread, NULL, open_door, door) == 0, "no thread");
    while (__atomic_load_n(&waiters_ready, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    finish();
}

/* A command of another queue, which was not flushed. rusticl 26.2 may hold the event's lock while
 * the command runs, and block a marker that waits for it until the end of the command. */
static void unflushed(void)
{
    cl_event event = spin(scene.other_queue, &scene.other_line);
    AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &event, NULL));
    if (!scene.is_wrong)
        clFlush(scene.other_queue);
    expect(1);
    finish();
}

/* Its command is complete when it has returned. */
static void CL_CALLBACK wait_for_itself(cl_command_queue queue, cl_uint count, void *pointers[],
                                        void *user_data)
{
    (void)count;
    (void)pointers;
    (void)user_data;
    scene.other = gettid();
    wait_begins();
    if (scene.is_wrong)
        clFinish(queue);
    for (;;)
        pause();
}

static void callback_cycle(void)
{
    void *memory = clSVMAlloc(scene.context, CL_MEM_READ_WRITE, 64, 0);
    truth_require(memory != NULL, "no SVM");
    expect(2);
    AT(scene.line, clEnqueueSVMFree(scene.queue, 1, &memory, wait_for_itself, NULL, 0, NULL, NULL));
    clFlush(scene.queue);
    while (__atomic_load_n(&waiters_ready, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    finish();
}

/* Commands that wait for a failed event do not run, and nothing waits for them. */
static void failed(void)
{
    cl_event event = scene.gate;
    if (scene.is_wrong)
        clSetUserEventStatus(event, -5);
    else
        event = spin(scene.other_queue, &scene.other_line);
    clFlush(scene.other_queue);
    AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 1, &event, NULL));
    clFlush(scene.queue);
}

/* A separate function, because its argument is only found if it comes from one place. */
static __attribute__((noinline)) void build_program(void)
{
    truth_require(clBuildProgram(scene.program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
}

/* A source includes a pipe without a writer, which the compiler reads to its end. */
static void build(void)
{
    char source[128];
    const char *text = source;
    int ends[2];
    truth_require(pipe(ends) == 0, "no pipe");
    if (!scene.is_wrong)
        close(ends[1]);
    snprintf(source, sizeof(source), "#include \"/proc/self/fd/%d\"\nkernel void nothing(void) {}",
             ends[0]);
    scene.program = AT(scene.line, clCreateProgramWithSource(scene.context, 1, &text, NULL, NULL));
    if (scene.is_wrong) {
        expect(1);
        wait_begins();
    }
    build_program();
}

/* ---- Too late -------------------------------------------------------------------------------- */

static void *finish_in_thread(void *argument)
{
    (void)argument;
    finish();
    return NULL;
}

/* What waits for the gate is waited for within exit(), or before. */
static void in_exit(void)
{
    expect(1);
    pending();
    if (!scene.is_wrong)
        finish();
    truth_require(atexit(finish) == 0, "no handler");
    exit(0);
}

static void stay(void)
{
    for (;;)
        pause();
}

/* Another thread waits, while this one is within exit(), or is not. */
static void beside_exit(void)
{
    pthread_t thread;
    expect(1);
    pending();
    truth_require(pthread_create(&thread, NULL, finish_in_thread, NULL) == 0, "no thread");
    if (!scene.is_wrong)
        stay();
    truth_require(atexit(stay) == 0, "no handler");
    exit(0);
}

/* Go on in a child; this process ends after it. */
static void go_on_in_child(void)
{
    pid_t child = fork();
    truth_require(child >= 0, "no child");
    if (child != 0)
        _exit(waitpid(child, NULL, 0) == child ? 0 : 1);
}

/* The mistake is that it is forked now, and not before OpenCL is called. */
static void after_fork(void)
{
    if (scene.is_wrong)
        go_on_in_child();
    expect(1);
    pending();
    finish();
}

static const waiting_case_t cases[] = {
    {"user-finish", user_finish},
    {"user-events", user_events},
    {"user-read", user_read},
    {"user-set-later", user_set_later},
    {"event-cycle", event_cycle},
    {"unflushed", unflushed},
    {"callback-cycle", callback_cycle},
    {"failed", failed},
    {"build", build},
    {"mutex-cycle", mutex_cycle},
    {"in-exit", in_exit},
    {"beside-exit", beside_exit},
    {"after-fork", after_fork},
    {"several-events", several_events},
    {"named-cycle", named_cycle},
    {NULL, NULL},
};

/* Come into the case NAME of ALL, if it is one of them. */
static void run_case(const waiting_case_t *all, const char *name)
{
    for (size_t i = 0; all[i].name != NULL; i++) {
        if (strcmp(all[i].name, name) != 0)
            continue;
        all[i].run();
        stop();
    }
}

int main(int argc, char **argv)
{
    truth_require(argc > 2, "usage: waiting NAME wrong|right [stay|wait]");
    scene.is_wrong = strcmp(argv[2], "wrong") == 0;
    scene.is_to_stay = argc > 3 && strcmp(argv[3], "stay") == 0;
    scene.is_to_wait = argc > 3 && strcmp(argv[3], "wait") == 0;
    if (strcmp(argv[1], "after-fork") == 0 && !scene.is_wrong)
        go_on_in_child();
    first_thread = pthread_self();
    runtime_find(&scene.runtime);
    scene.context = clCreateContext(NULL, 1, &scene.runtime.device, NULL, NULL, NULL);
    scene.queue = runtime_queue_create(&scene.runtime, scene.context, 0);
    scene.other_queue = runtime_queue_create(&scene.runtime, scene.context, 0);
    scene.gate = AT(scene.gate_line, clCreateUserEvent(scene.context, NULL));
    scene.other_gate = AT(scene.other_gate_line, clCreateUserEvent(scene.context, NULL));
    run_case(cases, argv[1]);
    run_case(reported_cases, argv[1]);
    truth_require(false, "there is no such case");
}
