/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that wait in OpenCL, and threads that run its callbacks, each in a different way.
 *
 *     busy-threads DIRECTORY [abort | shallow]
 *
 * With `shallow` no thread is in more calls and callbacks than the recorder stores.
 *
 * A runtime may call destructor callbacks later, all on one thread of its own. Only one of them
 * can then wait, and calls nest by the callbacks of builds instead. Or it may build later, and no
 * thread remains in that call.
 *
 * It stops three times, or aborts at the second, and writes DIRECTORY/<stop>.json before:
 *     busy    every thread is in its place;
 *     nested  the SVM-free callback has called OpenCL, which called a callback on that thread;
 *     idle    all threads are finished, and some have ended.
 */
#include "runtime.h"
#include "thread-truth.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 256
#define CHAIN 5   /* nested destructor callbacks: more than the recorder stores */
#define BUILDS 10 /* builds in each other: the same */
#define MAX_ROLES 16

static runtime_t runtime;
static cl_context context;
static bool destructors_come_later; /* on a thread of the runtime's own, */
static bool builds_come_later;      /* as do the callbacks of builds */
static sem_t arrived; /* a thread is in its place, or about to enter a call that waits */
static sem_t nest;    /* the SVM-free callback may call OpenCL */
static sem_t go_on;   /* the threads may come back; posted once for each that waits */
static sem_t left;    /* a destructor callback is about to return */
static atomic_size_t stay_count;

typedef struct role_t {
    void *(*run)(void *);
    pthread_t thread;
    thread_truth_t *truth;
    bool waits_in_opencl; /* it arrives before its call, and is waited for inside */
    cl_event gate;        /* a user event that the call waits for; NULL for none */
    cl_command_queue queue;
} role_t;

static role_t roles[MAX_ROLES];
static size_t role_count;

static cl_mem buffer_create(void)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* Stay where this thread is until the program has stopped. */
static void stay(void)
{
    stay_count++;
    sem_post(&arrived);
    sem_wait(&go_on);
}

static void destructor_staying(cl_mem memory, void *user_data)
{
    const void *function = (const void *)destructor_staying;
    thread_truth_callback("runs-destructor", memory, "destructor_staying", function, user_data);
    stay();
    thread_truth_leave();
    sem_post(&left);
}

static void buffer_release(cl_mem buffer)
{
    thread_truth_call("in-call", "clReleaseMemObject", buffer);
    clReleaseMemObject(buffer);
    thread_truth_leave();
}

/* Releases the next buffer of a chain, which is its user data. */
static void destructor_releasing(cl_mem memory, void *user_data)
{
    const void *function = (const void *)destructor_releasing;
    thread_truth_callback("runs-destructor", memory, "destructor_releasing", function, user_data);
    buffer_release(user_data);
    thread_truth_leave();
}

static cl_mem staying_buffer_create(uintptr_t user_data)
{
    cl_mem buffer = buffer_create();
    clSetMemObjectDestructorCallback(buffer, destructor_staying, (void *)user_data);
    return buffer;
}

static void programs_build(size_t count);

static void build_notified(cl_program program, void *user_data)
{
    size_t count = (size_t)user_data;
    const void *function = (const void *)build_notified;
    thread_truth_callback("runs-build-callback", program, "build_notified", function, user_data);
    if (count == 0)
        stay();
    else
        programs_build(count);
    thread_truth_leave();
}

/* Build COUNT programs, each in the callback of the one before; the last callback stays. */
static void programs_build(size_t count)
{
    const char *source = "kernel void f(global int *p) { *p = 1; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    thread_truth_call("builds", "clBuildProgram", program);
    clBuildProgram(program, 1, &runtime.device, "", build_notified, (void *)(count - 1));
    thread_truth_leave();
    clReleaseProgram(program);
}

static void svm_free_staying(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    const void *function = (const void *)svm_free_staying;
    cl_mem buffer = data;
    thread_truth_callback("runs-svm-free", queue, "svm_free_staying", function, data);
    sem_post(&arrived);
    sem_wait(&nest);
    if (destructors_come_later)
        programs_build(1);
    else
        buffer_release(buffer);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(context, pointers[i]);
    thread_truth_leave();
}

static cl_event gate_create(void)
{
    cl_int status;
    cl_event gate = clCreateUserEvent(context, &status);
    truth_require(status == CL_SUCCESS, "no user event");
    return gate;
}

/* Say that this thread is about to enter a call that does not return before its gate opens. */
static void enter_waiting(const char *state, const char *call, const void *handle)
{
    thread_truth_call(state, call, handle);
    sem_post(&arrived);
}

static void *finishing(void *argument)
{
    role_t *role = argument;
    char data[BUFFER_SIZE] = {0};
    cl_mem buffer = buffer_create();
    cl_int status = clEnqueueWriteBuffer(role->queue, buffer, CL_FALSE, 0, sizeof(data), data, 1,
                                         &role->gate, NULL);
    truth_require(status == CL_SUCCESS, "no write");
    role->truth = thread_truth_self();
    enter_waiting("waits-for-queue", "clFinish", role->queue);
    clFinish(role->queue);
    thread_truth_leave();
    clReleaseMemObject(buffer);
    return NULL;
}

static void *waiting_for_event(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    enter_waiting("waits-for-events", "clWaitForEvents", role->gate);
    clWaitForEvents(1, &role->gate);
    thread_truth_leave();
    return NULL;
}

static void *reading(void *argument)
{
    role_t *role = argument;
    char data[BUFFER_SIZE];
    cl_mem buffer = buffer_create();
    role->truth = thread_truth_self();
    enter_waiting("waits-for-transfer", "clEnqueueReadBuffer", role->queue);
    clEnqueueReadBuffer(role->queue, buffer, CL_TRUE, 0, sizeof(data), data, 1, &role->gate, NULL);
    thread_truth_leave();
    clReleaseMemObject(buffer);
    return NULL;
}

/* Waits for its queue, in which an SVM-free callback runs, on this thread or on another. */
static void *freeing(void *argument)
{
    role_t *role = argument;
    void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, BUFFER_SIZE, 0);
    cl_mem buffer = staying_buffer_create(0x51);
    cl_int status =
        clEnqueueSVMFree(role->queue, 1, &pointer, svm_free_staying, buffer, 0, NULL, NULL);
    truth_require(status == CL_SUCCESS, "no SVM free");
    role->truth = thread_truth_self();
    enter_waiting("waits-for-queue", "clFinish", role->queue);
    clFinish(role->queue);
    thread_truth_leave();
    return NULL;
}

static void *releasing(void *argument)
{
    role_t *role = argument;
    cl_mem buffer = staying_buffer_create(0x31);
    role->truth = thread_truth_self();
    buffer_release(buffer);
    if (destructors_come_later)
        stay();
    return NULL;
}

static void releases_nest(void)
{
    cl_mem buffer = staying_buffer_create(0x41);
    for (int i = 1; i < CHAIN; i++) {
        cl_mem outer = buffer_create();
        clSetMemObjectDestructorCallback(outer, destructor_releasing, buffer);
        buffer = outer;
    }
    buffer_release(buffer);
}

static void *nesting_deep(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    if (destructors_come_later)
        programs_build(BUILDS);
    else
        releases_nest();
    return NULL;
}

static void *building(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    programs_build(1);
    if (builds_come_later)
        stay();
    return NULL;
}

static void *outside(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    cl_mem buffer = buffer_create();
    buffer_release(buffer);
    stay();
    return NULL;
}

static void *without_opencl(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    stay();
    return NULL;
}

static void *ending(void *argument)
{
    role_t *role = argument;
    role->truth = thread_truth_self();
    buffer_release(buffer_create());
    sem_post(&arrived);
    return NULL;
}

/* Start a thread and wait until it is in its place. */
static role_t *role_start(void *(*run)(void *), bool waits_in_opencl, bool has_gate, bool has_queue)
{
    truth_require(role_count < MAX_ROLES, "too many roles");
    role_t *role = &roles[role_count++];
    role->run = run;
    role->waits_in_opencl = waits_in_opencl;
    if (has_gate)
        role->gate = gate_create();
    if (has_queue)
        role->queue = runtime_queue_create(&runtime, context, 0);
    truth_require(pthread_create(&role->thread, NULL, run, role) == 0, "no thread");
    sem_wait(&arrived);
    if (waits_in_opencl)
        thread_truth_wait_all();
    return role;
}

static void role_end(role_t *role)
{
    pthread_join(role->thread, NULL);
    role->truth->has_ended = true;
}

static void roles_start(bool is_shallow)
{
    role_end(role_start(ending, false, false, false));
    role_start(outside, false, false, false);
    role_start(without_opencl, false, false, false);
    role_start(releasing, false, false, false);
    if (destructors_come_later)
        sem_wait(&arrived); /* the callback and the releasing thread */
    if (!is_shallow)
        role_start(nesting_deep, false, false, false);
    role_start(building, false, false, false);
    if (builds_come_later)
        sem_wait(&arrived); /* the same */
    role_start(finishing, true, true, true);
    role_start(waiting_for_event, true, true, false);
    role_start(reading, true, true, true);
    if (runtime.svm != 0) {
        role_start(freeing, false, false, true);
        sem_wait(&arrived); /* the callback */
        thread_truth_wait_all();
    }
}

static void roles_end(void)
{
    size_t count = stay_count;
    for (size_t i = 0; i < count; i++)
        sem_post(&go_on);
    for (size_t i = 0; i < role_count; i++) {
        if (roles[i].gate != NULL)
            clSetUserEventStatus(roles[i].gate, CL_COMPLETE);
    }
    for (size_t i = 0; i < role_count; i++) {
        if (!roles[i].truth->has_ended)
            role_end(&roles[i]);
    }
    if (destructors_come_later) {
        sem_wait(&left);
        thread_truth_wait_all();
    }
}

static void destructor_asking(cl_mem memory, void *user_data)
{
    (void)memory;
    *(pthread_t *)user_data = pthread_self();
    sem_post(&arrived);
}

static void build_asking(cl_program program, void *user_data)
{
    (void)program;
    *(pthread_t *)user_data = pthread_self();
    sem_post(&arrived);
}

/* Find out on which threads the runtime calls back. */
static void callbacks_ask(void)
{
    const char *source = "kernel void f(global int *p) { *p = 0; }";
    pthread_t thread;
    cl_mem buffer = buffer_create();
    clSetMemObjectDestructorCallback(buffer, destructor_asking, &thread);
    clReleaseMemObject(buffer);
    sem_wait(&arrived);
    destructors_come_later = !pthread_equal(thread, pthread_self());
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 1, &runtime.device, "", build_asking, &thread);
    sem_wait(&arrived);
    builds_come_later = !pthread_equal(thread, pthread_self());
    clReleaseProgram(program);
    truth_require(!destructors_come_later || !builds_come_later, "no calls nest");
}

/* Stop, or end, and have the truth in the file of this stop. */
static void stop(const char *directory, const char *name, bool aborts)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.json", directory, name);
    thread_truth_write(path);
    if (aborts)
        abort();
    truth_stop(name);
}

int main(int argc, char **argv)
{
    truth_require(argc >= 2, "usage: busy-threads DIRECTORY [MODE]");
    const char *mode = argc > 2 ? argv[2] : "";
    sem_init(&arrived, 0, 0);
    sem_init(&nest, 0, 0);
    sem_init(&go_on, 0, 0);
    sem_init(&left, 0, 0);
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    truth_require(context != NULL, "no context");
    thread_truth_call("in-call", "clGetPlatformIDs", NULL);
    thread_truth_leave();
    callbacks_ask();
    roles_start(strcmp(mode, "shallow") == 0);
    thread_truth_wait_all();
    stop(argv[1], "busy", false);
    if (runtime.svm != 0) {
        sem_post(&nest);
        sem_wait(&arrived);
        thread_truth_wait_all();
    }
    stop(argv[1], "nested", strcmp(mode, "abort") == 0);
    roles_end();
    stop(argv[1], "idle", false);
    /* The runtimes' own exit handlers are not part of the test. */
    _exit(0);
}
