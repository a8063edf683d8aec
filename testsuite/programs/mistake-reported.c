/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mistakes that people have reported. */
#include "mistake.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* ---- Released twice -------------------------------------------------------------------------- */

static void first_owner(cl_mem buffer, told_t *told)
{
    AT(told->other_line, clReleaseMemObject(buffer));
}

static void second_owner(cl_mem buffer, told_t *told)
{
    AT(told->line, clReleaseMemObject(buffer));
}

/* Two parts of a program believe that they own a buffer, which a pending command writes. */
static void two_owners(const scene_t *scene)
{
    static const char zero[SIZE];
    told_t told = {.size = SIZE};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(clEnqueueWriteBuffer(scene->queue, buffer, CL_FALSE, 0, SIZE, zero, 1,
                                       &scene->gate, NULL) == CL_SUCCESS,
                  "no command");
    if (!scene->is_wrong)
        clRetainMemObject(buffer);
    first_owner(buffer, &told);
    second_owner(buffer, &told);
    told.object = buffer;
    mistake_stop(scene, &told);
}

/* An object that a library retains. */
static cl_context taken;

static void take_context(cl_context context, bool is_retained)
{
    taken = context;
    if (is_retained)
        clRetainContext(context);
}

static void close_library(told_t *told)
{
    AT(told->other_line, clReleaseContext(taken));
}

/* The library releases an object that its user passed to it. A queue keeps the context alive, so
 * that it still exists when it is released once more. */
static void taken_context(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_context context = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);

    runtime_queue_create(&scene->runtime, context, 0);
    take_context(context, !scene->is_wrong);
    close_library(&told);
    AT(told.line, clReleaseContext(context));
    told.object = context;
    mistake_stop(scene, &told);
}

/* ---- User events ----------------------------------------------------------------------------- */

typedef struct task_t {
    const scene_t *scene;
    told_t told;
    cl_event event;
} task_t;

/* The program may crash here. */
static void *set_in_thread(void *argument)
{
    task_t *task = argument;

    task->told.line = __LINE__ + 2;
    mistake_tell(task->scene, &task->told);
    clSetUserEventStatus(task->event, CL_COMPLETE);
    return NULL;
}

static void *fail_in_thread(void *event)
{
    clSetUserEventStatus(event, CL_OUT_OF_RESOURCES);
    return NULL;
}

/* Have a thread do what BEGIN does. */
static void do_in_thread(void *(*begin)(void *), void *argument)
{
    pthread_t thread;

    truth_require(pthread_create(&thread, NULL, begin, argument) == 0, "no thread");
    pthread_join(thread, NULL);
}

/* The thread that has enqueued commands waiting for it releases it before another has set it. */
static void set_after_release(const scene_t *scene)
{
    task_t task = {.scene = scene, .event = clCreateUserEvent(scene->context, NULL)};

    clEnqueueMarkerWithWaitList(scene->queue, 1, &task.event, NULL);
    clEnqueueMarkerWithWaitList(scene->queue, 1, &scene->gate, NULL);
    if (!scene->is_wrong)
        clRetainEvent(task.event);
    AT(task.told.other_line, clReleaseEvent(task.event));
    task.told.object = task.event;
    do_in_thread(set_in_thread, &task);
    mistake_halt(scene);
}

/* Two threads end it: one because of an error, and one because all is well. */
static void set_twice(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event = clCreateUserEvent(scene->context, NULL);
    cl_event other = clCreateUserEvent(scene->context, NULL);

    do_in_thread(fail_in_thread, scene->is_wrong ? event : other);
    AT(told.line, clSetUserEventStatus(event, CL_COMPLETE));
    told.object = event;
    mistake_stop(scene, &told);
}

/* What a callback has to do. */
typedef struct completed_t {
    const scene_t *scene;
    told_t told;
    cl_event next; /* that it sets */
} completed_t;

/* Some runtimes use the event once more when it has returned. */
static void CL_CALLBACK release_own(cl_event event, cl_int status, void *argument)
{
    completed_t *completed = argument;

    (void)status;
    clSetUserEventStatus(completed->next, CL_COMPLETE);
    completed->told.other_line = __LINE__ + 2;
    mistake_tell(completed->scene, &completed->told);
    clReleaseEvent(event);
    __atomic_store_n(&completed->next, NULL, __ATOMIC_RELEASE);
}

/* The callback releases the last reference. */
static void own_event(const scene_t *scene)
{
    completed_t completed = {.scene = scene, .next = clCreateUserEvent(scene->context, NULL)};
    cl_event event;

    AT(completed.told.line, event = clCreateUserEvent(scene->context, NULL));
    completed.told.object = event;
    if (!scene->is_wrong)
        clRetainEvent(event);
    clSetEventCallback(event, CL_COMPLETE, release_own, &completed);
    clSetUserEventStatus(event, CL_COMPLETE);
    while (__atomic_load_n(&completed.next, __ATOMIC_ACQUIRE) != NULL)
        sched_yield();
    mistake_halt(scene);
}

/* ---- Collected too early --------------------------------------------------------------------- */

/* A queue is released before the memory that is freed after its commands. A command of it is
 * pending, so that it exists. */
static void collected_queue(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    if (scene->is_wrong)
        clEnqueueMarkerWithWaitList(queue, 1, &scene->gate, NULL);
    else
        clRetainCommandQueue(queue);
    AT(told.other_line, clReleaseCommandQueue(queue));
    AT(told.line, clFlush(queue));
    clReleaseMemObject(buffer);
    told.object = queue;
    mistake_stop(scene, &told);
}

/* A buffer is read that only a command has still. */
static void read_after_release(const scene_t *scene)
{
    static const char zero[SIZE];
    static char bytes[SIZE];
    told_t told = {.size = SIZE};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    clEnqueueWriteBuffer(scene->queue, buffer, CL_FALSE, 0, SIZE, zero, 1, &scene->gate, NULL);
    if (!scene->is_wrong)
        clRetainMemObject(buffer);
    AT(told.other_line, clReleaseMemObject(buffer));
    AT(told.line,
       clEnqueueReadBuffer(scene->queue, buffer, CL_FALSE, 0, SIZE, bytes, 0, NULL, NULL));
    told.object = buffer;
    mistake_stop(scene, &told);
}

const mistake_t mistakes_reported[] = {
    {"two-owners", two_owners},
    {"taken-context", taken_context},
    {"set-after-release", set_after_release},
    {"set-twice", set_twice},
    {"own-event", own_event},
    {"collected-queue", collected_queue},
    {"read-after-release", read_after_release},
    {NULL, NULL},
};
