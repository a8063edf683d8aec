/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hangs that people have reported. */
#include "thread-truth.h"
#include "waiting.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_event marker(cl_command_queue queue, cl_event gate, int *line)
{
    cl_uint count = gate != NULL;
    cl_event event;

    truth_require(AT(*line, clEnqueueMarkerWithWaitList(queue, count, count ? &gate : NULL,
                                                        &event)) == CL_SUCCESS,
                  "no marker");
    return event;
}

static cl_mem buffer_of(size_t size)
{
    cl_mem buffer = clCreateBuffer(scene.context, CL_MEM_READ_WRITE, size, NULL, NULL);

    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* The callback of a command opens the gate, but its queue is never flushed. */
static void callback_unflushed(void)
{
    cl_event event = spin(scene.other_queue, &scene.other_line);

    clSetEventCallback(event, CL_COMPLETE, set_event, scene.gate);
    if (!scene.is_wrong)
        clFlush(scene.other_queue);
    marker(scene.queue, scene.gate, &scene.line);
    expect(1);
    finish();
}

/* The program releases the gate before anyone has opened it. */
static void released_gate(void)
{
    marker(scene.queue, scene.gate, &scene.line);
    clFlush(scene.queue);
    if (!scene.is_wrong)
        clSetUserEventStatus(scene.gate, CL_COMPLETE);
    clReleaseEvent(scene.gate);
    if (scene.is_wrong)
        expect(1);
    finish();
}

/* An event is waited for that was released; its command holds it still. */
static void released_event(void)
{
    cl_event event = marker(scene.queue, scene.gate, &scene.third_line);

    clFlush(scene.queue);
    scene.other_gate = event;
    if (!scene.is_wrong)
        clRetainEvent(event);
    AT(scene.other_line, clReleaseEvent(event));
    expect(1);
    wait_begins();
    AT(scene.line, clWaitForEvents(1, &event));
}

/* Of an out-of-order queue the first command waits for the gate.  The second does not, and is
 * waited for; the mistake is to take it that it runs before the gate is open. */
static void out_of_order(void)
{
    cl_mem buffer = buffer_of(64);
    cl_event event;

    scene.queue =
        runtime_queue_create(&scene.runtime, scene.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    marker(scene.queue, scene.gate, &scene.line);
    AT(scene.other_line, clEnqueueFillBuffer(scene.queue, buffer, "", 1, 0, 64, 0, NULL, &event));
    clFlush(scene.queue);
    if (!scene.is_wrong) {
        clSetUserEventStatus(scene.gate, CL_COMPLETE);
        clFinish(scene.queue);
        return;
    }
    expect(1);
    wait_begins();
    truth_require(clWaitForEvents(1, &event) == CL_SUCCESS, "no end");
}

/* The gate is opened by the callback of a command; the mistake is that the command is behind the
 * barrier that waits for the gate. */
static void behind_barrier(void)
{
    cl_command_queue queue = scene.is_wrong ? scene.queue : scene.other_queue;
    cl_event event;

    AT(scene.line, clEnqueueBarrierWithWaitList(scene.queue, 1, &scene.gate, NULL));
    if (scene.is_wrong)
        event = marker(queue, NULL, &scene.other_line);
    else
        event = spin(queue, &scene.other_line);
    clSetEventCallback(event, CL_COMPLETE, set_event, scene.gate);
    clFlush(queue);
    expect(1);
    finish();
}

/* The thread that would open the gate waits for commands after it. */
static void set_behind_map(void)
{
    cl_event gate = AT(scene.gate_line, clCreateUserEvent(scene.context, NULL));
    cl_mem buffer = buffer_of(64);

    clReleaseEvent(scene.gate);
    scene.gate = gate;
    if (scene.is_wrong) {
        expect(1);
        wait_begins();
    } else {
        clSetUserEventStatus(gate, CL_COMPLETE);
    }
    AT(scene.other_line,
       clEnqueueMapBuffer(scene.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 1, &gate, NULL, NULL));
    clSetUserEventStatus(gate, CL_COMPLETE);
}

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

/* Called by a library that has locked its lock. */
static void CL_CALLBACK call_with_lock(cl_event event, cl_int status, void *queue)
{
    (void)event;
    (void)status;
    wait_begins();
    __atomic_store_n(&scene.other, gettid(), __ATOMIC_RELEASE);
    truth_require(clFinish(queue) == CL_SUCCESS, "no end");
}

/* As a library does that calls back while it has its lock. */
static void *complete_with_lock(void *door)
{
    pthread_mutex_lock(&library_lock);
    clSetUserEventStatus(door, CL_COMPLETE);
    pthread_mutex_unlock(&library_lock);
    return NULL;
}

/* The mistake is that the gate is opened under the lock. */
static void locked_callback(void)
{
    cl_event door = clCreateUserEvent(scene.context, NULL);
    pthread_t thread;

    scene.lock = &library_lock;
    expect(scene.is_wrong ? 2 : 1);
    if (scene.is_wrong)
        marker(scene.queue, scene.gate, &scene.line);
    else
        spin(scene.queue, &scene.line);
    clSetEventCallback(door, CL_COMPLETE, call_with_lock, scene.queue);
    clFlush(scene.queue);
    truth_require(pthread_create(&thread, NULL, complete_with_lock, door) == 0, "no thread");
    while (__atomic_load_n(&scene.other, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    if (!scene.is_wrong)
        for (;;)
            pause();
    wait_begins();
    pthread_mutex_lock(&library_lock);
    clSetUserEventStatus(scene.gate, CL_COMPLETE);
}

/* Should open the gate; the mistake is that it ends when it finds nothing to do. */
static void *work(void *unused)
{
    (void)unused;
    clRetainEvent(scene.gate);
    __atomic_store_n(&scene.other, gettid(), __ATOMIC_RELEASE);
    while (!scene.is_wrong)
        pause();
    return NULL;
}

/* Its command waits for the worker's first result, and for its next one. */
static void worker_ended(void)
{
    cl_event events[] = {clCreateUserEvent(scene.context, NULL), scene.gate};
    cl_event event;
    pthread_t worker;

    truth_require(AT(scene.line, clEnqueueMarkerWithWaitList(scene.queue, 2, events, &event)) ==
                      CL_SUCCESS,
                  "no marker");
    clSetUserEventStatus(events[0], CL_COMPLETE);
    clReleaseEvent(events[0]);
    truth_require(pthread_create(&worker, NULL, work, NULL) == 0, "no thread");
    while (__atomic_load_n(&scene.other, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    if (scene.is_wrong)
        pthread_join(worker, NULL);
    expect(1);
    wait_begins();
    truth_require(clWaitForEvents(1, &event) == CL_SUCCESS, "no end");
}

/* A transfer is behind a kernel, which runs; the mistake is that this does not even begin. */
static void slow_device(void)
{
    cl_mem buffer = buffer_of(64);
    char bytes[64];

    if (scene.is_wrong)
        marker(scene.queue, scene.gate, &scene.third_line);
    spin(scene.queue, &scene.line);
    expect(1);
    wait_begins();
    AT(scene.other_line,
       clEnqueueReadBuffer(scene.queue, buffer, CL_TRUE, 0, sizeof(bytes), bytes, 0, NULL, NULL));
}

/* A command of each of two queues waits for one of the other.  The mistake is that only one queue
 * is flushed. */
static void across_queues(void)
{
    cl_event first = marker(scene.queue, NULL, &scene.third_line);
    cl_event second = marker(scene.other_queue, first, &scene.other_line);

    marker(scene.queue, second, &scene.line);
    if (scene.is_wrong) {
        expect(1);
        finish();
    }
    clFlush(scene.queue);
    clFlush(scene.other_queue);
    truth_require(clFinish(scene.queue) == CL_SUCCESS, "no end");
    truth_require(clFinish(scene.other_queue) == CL_SUCCESS, "no end");
}

/* ---- Locks ----------------------------------------------------------------------------------- */

static pthread_mutex_t binding_lock = PTHREAD_MUTEX_INITIALIZER;

/* As a binding does that protects its objects with a lock. */
static void CL_CALLBACK note_build(cl_program program, void *unused)
{
    (void)program;
    (void)unused;
    wait_begins();
    if (scene.is_wrong)
        pthread_mutex_lock(&binding_lock);
    for (;;)
        pause();
}

/* The mistake is that the build's callback takes the lock that its thread has: PoCL calls back
 * within the call. */
static void own_lock(void)
{
    const char *text = "kernel void nothing(void) {}";

    scene.lock = &binding_lock;
    scene.program = AT(scene.line, clCreateProgramWithSource(scene.context, 1, &text, NULL, NULL));
    expect(1);
    pthread_mutex_lock(&binding_lock);
    AT(scene.other_line, clBuildProgram(scene.program, 0, NULL, "", note_build, NULL));
}

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;

static void *finish_queue(void *unused)
{
    (void)unused;
    finish();
    return NULL;
}

/* Has the lock until another thread has ended. */
static void *join_with_lock(void *unused)
{
    pthread_t finishing;

    (void)unused;
    pthread_rwlock_wrlock(&table_lock);
    truth_require(pthread_create(&finishing, NULL, finish_queue, NULL) == 0, "no thread");
    __atomic_store_n(&scene.other, gettid(), __ATOMIC_RELEASE);
    wait_begins();
    pthread_join(finishing, NULL);
    return NULL;
}

/* The thread that would open the gate waits for what one has locked that joins another, which waits
 * for the gate. */
static void joined_owner(void)
{
    pthread_t thread;

    scene.lock = &table_lock;
    expect(3);
    if (scene.is_wrong)
        marker(scene.queue, scene.gate, &scene.line);
    else
        spin(scene.queue, &scene.line);
    truth_require(pthread_create(&thread, NULL, join_with_lock, NULL) == 0, "no thread");
    while (__atomic_load_n(&scene.other, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    wait_begins();
    pthread_rwlock_rdlock(&table_lock);
    clSetUserEventStatus(scene.gate, CL_COMPLETE);
}

/* ---- Flushes --------------------------------------------------------------------------------- */

static bool is_waited_for; /* by a command of the other queue */

static void CL_CALLBACK stay_in_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                     void *user_data)
{
    (void)queue;
    (void)count;
    (void)pointers;
    __atomic_store_n(&scene.other, gettid(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&is_waited_for, __ATOMIC_ACQUIRE))
        sched_yield();
    wait_begins();
    if (scene.is_wrong)
        clFinish(user_data);
    for (;;)
        pause();
}

/* The queue of a command that has begun was never flushed; the mistake is that its callback waits
 * for a command that waits for it. */
static void begun_unflushed(void)
{
    void *memory = clSVMAlloc(scene.context, CL_MEM_READ_WRITE, 64, 0);
    cl_event event;

    truth_require(memory != NULL, "no SVM");
    expect(2);
    AT(scene.other_line,
       clEnqueueSVMFree(scene.other_queue, 1, &memory, stay_in_free, scene.queue, 0, NULL, &event));
    while (__atomic_load_n(&scene.other, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    marker(scene.queue, event, &scene.line);
    __atomic_store_n(&is_waited_for, true, __ATOMIC_RELEASE);
    finish();
}

/* ---- Calls to come --------------------------------------------------------------------------- */

static int ends[2];

/* Calls OpenCL for the first time when there is input. */
static void *open_when_told(void *unused)
{
    char byte;

    (void)unused;
    wait_begins();
    if (read(ends[0], &byte, 1) == 1)
        clSetUserEventStatus(scene.gate, CL_COMPLETE);
    return NULL;
}

/* The gate is opened by a thread that has not called OpenCL so far; the mistake is that there is
 * none. */
static void late_caller(void)
{
    pthread_t thread;

    truth_require(pipe(ends) == 0, "no pipe");
    expect(scene.is_wrong ? 1 : 2);
    marker(scene.queue, scene.gate, &scene.line);
    truth_require(scene.is_wrong || pthread_create(&thread, NULL, open_when_told, NULL) == 0,
                  "no thread");
    finish();
}

/* ---- While the program ends ------------------------------------------------------------------ */

static bool is_to_wait_at_exit;
static pthread_t worker;

/* A wait for the gate, or a slow command: at exit a kernel may need a destroyed compiler. */
static void enqueue(void)
{
    if (scene.is_wrong)
        marker(scene.queue, scene.gate, &scene.line);
    else
        spin(scene.queue, &scene.line);
}

static void *finish_in_worker(void *unused)
{
    (void)unused;
    finish();
    return NULL;
}

/* As a destructor of a static object does that releases its objects. */
__attribute__((destructor)) static void give_back(void)
{
    if (!is_to_wait_at_exit)
        return;
    finish();
    clReleaseCommandQueue(scene.queue);
}

static void static_destructor(void)
{
    expect(1);
    enqueue();
    if (!scene.is_wrong)
        finish();
    is_to_wait_at_exit = true;
    exit(0);
}

static void join_worker(void)
{
    pthread_join(worker, NULL);
}

/* As a runtime does that has its own thread. */
static void worker_at_exit(void)
{
    expect(1);
    enqueue();
    truth_require(pthread_create(&worker, NULL, finish_in_worker, NULL) == 0, "no thread");
    if (!scene.is_wrong)
        join_worker();
    truth_require(atexit(join_worker) == 0, "no handler");
    exit(0);
}

/* Objects are collected at exit in any order: the queue before what waits for its commands. */
static void collect(void)
{
    cl_command_queue queue = scene.queue;

    AT(scene.other_line, clReleaseCommandQueue(queue));
    finish();
}

static void collected_at_exit(void)
{
    expect(1);
    enqueue();
    if (!scene.is_wrong)
        finish();
    truth_require(atexit(collect) == 0, "no handler");
    exit(0);
}

const waiting_case_t reported_cases[] = {
    {"callback-unflushed", callback_unflushed},
    {"out-of-order", out_of_order},
    {"behind-barrier", behind_barrier},
    {"set-behind-map", set_behind_map},
    {"locked-callback", locked_callback},
    {"worker-ended", worker_ended},
    {"slow-device", slow_device},
    {"across-queues", across_queues},
    {"released-gate", released_gate},
    {"released-event", released_event},
    {"own-lock", own_lock},
    {"joined-owner", joined_owner},
    {"begun-unflushed", begun_unflushed},
    {"late-caller", late_caller},
    {"static-destructor", static_destructor},
    {"worker-at-exit", worker_at_exit},
    {"collected-at-exit", collected_at_exit},
    {NULL, NULL},
};
