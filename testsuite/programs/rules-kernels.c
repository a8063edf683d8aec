/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments of kernels, and events that have failed. */
#include "rules.h"

#include <pthread.h>

/* ---- User events ----------------------------------------------------------------------------- */

static void event_set_twice(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event = clCreateUserEvent(scene->context, NULL);

    AT(told.other_line, clSetUserEventStatus(event, CL_COMPLETE));
    if (scene->is_wrong)
        AT(told.line, clSetUserEventStatus(event, CL_COMPLETE));
    told.object = event;
    mistake_stop(scene, &told);
    clReleaseEvent(event);
}

enum { UNREACHED_LINE = __LINE__ + 2 }; /* of the function */

static void CL_CALLBACK unreached(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    (void)user_data;
}

/* A callback of a user event that is released before it is set. The size is the callback's line. */
static void callback_unreached(const scene_t *scene)
{
    told_t told = {.size = UNREACHED_LINE};
    cl_event event = clCreateUserEvent(scene->context, NULL);

    AT(told.other_line, clSetEventCallback(event, CL_COMPLETE, unreached, NULL));
    if (!scene->is_wrong)
        clSetUserEventStatus(event, CL_COMPLETE);
    AT(told.line, clReleaseEvent(event));
    told.object = event;
    mistake_stop(scene, &told);
}

/* ---- Commands that fail ---------------------------------------------------------------------- */

/* A write that waits for GATE, whose event is *EVENT if that is not NULL. Returns the line of the
 * call. */
static int write_behind(const scene_t *scene, cl_mem buffer, const cl_event *gate, cl_event *event)
{
    static char data[SIZE];
    cl_int status;
    int line;

    status = AT(
        line, clEnqueueWriteBuffer(scene->queue, buffer, CL_FALSE, 0, SIZE, data, 1, gate, event));
    truth_require(status == CL_SUCCESS, "no write");
    clFlush(scene->queue);
    return line;
}

/* The status of EVENT, once it has failed. */
static cl_int failed_status(cl_event event)
{
    cl_int status = CL_QUEUED;

    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    return status;
}

/* A cancelled command, whose event is released: the twin has looked at it. */
static void failed_unseen(const scene_t *scene)
{
    cl_event gate = clCreateUserEvent(scene->context, NULL);
    cl_mem buffer = rules_make_buffer(scene);
    told_t told = {.size = SIZE, .other = gate};
    cl_event event = NULL;

    told.other_line = write_behind(scene, buffer, &gate, &event);
    clSetUserEventStatus(gate, CL_INVALID_VALUE);
    while (!scene->is_wrong && failed_status(event) >= 0)
        continue;
    AT(told.line, clReleaseEvent(event));
    told.object = event;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    clReleaseEvent(gate);
}

/* A cancelled command that has no event. */
static void failed_eventless(const scene_t *scene)
{
    cl_event gate = clCreateUserEvent(scene->context, NULL);
    cl_mem buffer = rules_make_buffer(scene);
    told_t told = {.size = SIZE, .other = gate};

    told.other_line = write_behind(scene, buffer, &gate, NULL);
    AT(told.line, clSetUserEventStatus(gate, scene->is_wrong ? CL_INVALID_VALUE : CL_COMPLETE));
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    clReleaseEvent(gate);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

#define SOURCE "kernel void fill(global uint4 *to, uint4 value) { to[get_global_id(0)] = value; }\n"

/* A kernel whose arguments the runtime describes. */
static cl_kernel make_described(const scene_t *scene)
{
    const char *source = SOURCE;
    cl_program program = clCreateProgramWithSource(scene->context, 1, &source, NULL, NULL);
    cl_kernel kernel;

    truth_require(clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL) == CL_SUCCESS,
                  "no build");
    kernel = clCreateKernel(program, "fill", NULL);
    truth_require(kernel != NULL, "no kernel");
    clReleaseProgram(program);
    return kernel;
}

/* PoCL 3.1 takes 12 bytes for every vector of 16. */
static void argument_size(const scene_t *scene)
{
    static const cl_uint value[4];
    told_t told = {.size = scene->is_wrong ? 12 : 16};
    cl_kernel kernel = make_described(scene);

    truth_require(AT(told.line, clSetKernelArg(kernel, 1, told.size, value)) == CL_SUCCESS,
                  "not set");
    told.object = kernel;
    mistake_stop(scene, &told);
    clReleaseKernel(kernel);
}

/* ---- Kernels that two threads use ------------------------------------------------------------ */

/* Two threads take turns: each waits until it is its turn. */
typedef struct sharing_t {
    const scene_t *scene;
    told_t *told;
    cl_kernel kernel;
    cl_mem buffer;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int turn;
} sharing_t;

static void await_turn(sharing_t *sharing, int turn)
{
    pthread_mutex_lock(&sharing->mutex);
    while (sharing->turn != turn)
        pthread_cond_wait(&sharing->changed, &sharing->mutex);
    pthread_mutex_unlock(&sharing->mutex);
}

static void end_turn(sharing_t *sharing)
{
    pthread_mutex_lock(&sharing->mutex);
    sharing->turn++;
    pthread_cond_broadcast(&sharing->changed);
    pthread_mutex_unlock(&sharing->mutex);
}

static void set_value(sharing_t *sharing, cl_uint value)
{
    cl_int status =
        AT(sharing->told->other_line, clSetKernelArg(sharing->kernel, 1, sizeof(value), &value));

    truth_require(status == CL_SUCCESS, "not set");
}

static void enqueue(sharing_t *sharing)
{
    const size_t one = 1;
    cl_int status;

    status = AT(sharing->told->line, clEnqueueNDRangeKernel(sharing->scene->queue, sharing->kernel,
                                                            1, NULL, &one, NULL, 0, NULL, NULL));
    truth_require(status == CL_SUCCESS, "not enqueued");
}

/* The thread's turns are 1 and 3. */
static void *share(void *argument)
{
    sharing_t *sharing = argument;

    await_turn(sharing, 1);
    set_value(sharing, 10);
    enqueue(sharing);
    end_turn(sharing);
    await_turn(sharing, 3);
    set_value(sharing, 11);
    enqueue(sharing);
    end_turn(sharing);
    await_turn(sharing, 5);
    return NULL;
}

/* The other thread replaces the argument before this one enqueues; in the twin each thread sets it
 * and enqueues in its turn. */
static void kernel_shared(const scene_t *scene)
{
    static const char source[] =
        "kernel void fill(global uint *to, uint value) { to[get_global_id(0)] = value; }\n";
    told_t told = {.size = SIZE};
    sharing_t sharing = {.scene = scene, .told = &told};
    pthread_t thread;

    sharing.kernel = rules_make_kernel(scene, source, "fill");
    sharing.buffer = rules_make_buffer(scene);
    clSetKernelArg(sharing.kernel, 0, sizeof(cl_mem), &sharing.buffer);
    pthread_mutex_init(&sharing.mutex, NULL);
    pthread_cond_init(&sharing.changed, NULL);
    truth_require(pthread_create(&thread, NULL, share, &sharing) == 0, "no thread");
    set_value(&sharing, 1);
    enqueue(&sharing);
    end_turn(&sharing);
    await_turn(&sharing, 2);
    if (scene->is_wrong)
        set_value(&sharing, 2);
    end_turn(&sharing);
    await_turn(&sharing, 4);
    if (!scene->is_wrong)
        set_value(&sharing, 2);
    enqueue(&sharing);
    clFinish(scene->queue);
    told.object = sharing.kernel;
    mistake_tell(scene, &told);
    end_turn(&sharing);
    pthread_join(thread, NULL);
    mistake_halt(scene);
    clReleaseMemObject(sharing.buffer);
    clReleaseKernel(sharing.kernel);
}

const mistake_t rules_of_kernels[] = {
    {"event-set-twice", event_set_twice},
    {"callback-unreached", callback_unreached},
    {"failed-unseen", failed_unseen},
    {"failed-eventless", failed_eventless},
    {"argument-size", argument_size},
    {"kernel-shared", kernel_shared},
    {NULL, NULL},
};
