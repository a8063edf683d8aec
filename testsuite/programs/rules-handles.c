/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are destroyed, of another kind or of another context. */
#include "rules.h"

/* ---- Used after the last release ------------------------------------------------------------- */

/* A pending command keeps the buffer alive. */
static void flush_released(const scene_t *scene)
{
    static const char zero[SIZE];
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_mem buffer = rules_make_buffer(scene);

    clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, zero, 1, &scene->gate, NULL);
    if (!scene->is_wrong)
        clRetainCommandQueue(queue);
    AT(told.other_line, clReleaseCommandQueue(queue));
    AT(told.line, clFlush(queue));
    told.object = queue;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    if (!scene->is_wrong)
        clReleaseCommandQueue(queue);
}

/* A sub-buffer keeps the buffer alive. The program still has references if it is not wrong. */
typedef struct held_t {
    cl_mem buffer;
    cl_mem part;
} held_t;

static held_t hold(const scene_t *scene, told_t *told)
{
    const cl_buffer_region region = {0, SIZE / 4};
    held_t held = {.buffer = rules_make_buffer(scene)};

    held.part = clCreateSubBuffer(held.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    truth_require(held.part != NULL, "no sub-buffer");
    told->object = held.buffer;
    if (!scene->is_wrong)
        clRetainMemObject(held.buffer);
    AT(told->other_line, clReleaseMemObject(held.buffer));
    return held;
}

/* If it is wrong, the buffer still exists at the end of the program, which then says what it is. */
static void let_go(const scene_t *scene, const held_t *held)
{
    if (scene->is_wrong)
        return;
    clReleaseMemObject(held->part);
    clReleaseMemObject(held->buffer);
}

static void query_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    size_t size;
    held_t held = hold(scene, &told);

    AT(told.line, clGetMemObjectInfo(held.buffer, CL_MEM_SIZE, sizeof(size), &size, NULL));
    mistake_stop(scene, &told);
    let_go(scene, &held);
}

static void retain_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    held_t held = hold(scene, &told);

    AT(told.line, clRetainMemObject(held.buffer));
    mistake_stop(scene, &told);
    clReleaseMemObject(held.buffer);
    let_go(scene, &held);
}

static void CL_CALLBACK ignore_memobj(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
}

static void register_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    held_t held = hold(scene, &told);

    AT(told.line, clSetMemObjectDestructorCallback(held.buffer, ignore_memobj, NULL));
    mistake_stop(scene, &told);
    let_go(scene, &held);
}

static void divide_released(const scene_t *scene)
{
    const cl_buffer_region region = {SIZE / 2, SIZE / 4};
    told_t told = {.size = SIZE};
    held_t held = hold(scene, &told);
    cl_mem part;

    AT(told.line,
       part = clCreateSubBuffer(held.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL));
    mistake_stop(scene, &told);
    clReleaseMemObject(part);
    let_go(scene, &held);
}

static void read_released(const scene_t *scene)
{
    static char bytes[SIZE];
    told_t told = {.size = SIZE};
    held_t held = hold(scene, &told);

    AT(told.line, clEnqueueReadBuffer(scene->queue, held.buffer, CL_TRUE, 0, sizeof(bytes), bytes,
                                      0, NULL, NULL));
    mistake_stop(scene, &told);
    let_go(scene, &held);
}

static void migrate_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    held_t held = hold(scene, &told);

    AT(told.line, clEnqueueMigrateMemObjects(scene->queue, 1, &held.buffer, 0, 0, NULL, NULL));
    clFinish(scene->queue);
    mistake_stop(scene, &told);
    let_go(scene, &held);
}

/* The kernel keeps the program alive. */
static void create_from_released(const scene_t *scene)
{
    const char *source = "kernel void none(void) {}";
    told_t told = {.size = SIZE};
    cl_program program = clCreateProgramWithSource(scene->context, 1, &source, NULL, NULL);

    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "none", NULL);
    told.object = program;
    if (!scene->is_wrong)
        clRetainProgram(program);
    AT(told.other_line, clReleaseProgram(program));
    cl_kernel other = AT(told.line, clCreateKernel(program, "none", NULL));
    mistake_stop(scene, &told);
    clReleaseKernel(other);
    clReleaseKernel(kernel);
    if (!scene->is_wrong)
        clReleaseProgram(program);
}

/* The queue keeps the context alive. */
static void create_in_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_context context = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&scene->runtime, context, 0);

    told.object = context;
    if (!scene->is_wrong)
        clRetainContext(context);
    AT(told.other_line, clReleaseContext(context));
    cl_mem buffer = AT(told.line, clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL));
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    if (!scene->is_wrong)
        clReleaseContext(context);
}

/* A marker waits for the event, whose command is pending. */
static void await_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_event event;

    clEnqueueMarkerWithWaitList(queue, 1, &scene->gate, &event);
    told.object = event;
    if (!scene->is_wrong)
        clRetainEvent(event);
    AT(told.other_line, clReleaseEvent(event));
    AT(told.line, clEnqueueMarkerWithWaitList(queue, 1, &event, NULL));
    mistake_stop(scene, &told);
    if (!scene->is_wrong)
        clReleaseEvent(event);
    clReleaseCommandQueue(queue);
}

/* ---- Handles that may be used after the last release ----------------------------------------- */

/* The program asks for the context that it has released, and gets a handle that is valid as long as
 * the queue exists. */
static void handle_from_query(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_uint count;
    cl_context context = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&scene->runtime, context, 0);

    told.object = context;
    AT(told.other_line, clReleaseContext(context));
    if (!scene->is_wrong)
        clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    AT(told.line, clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, NULL));
    mistake_stop(scene, &told);
    clReleaseCommandQueue(queue);
}

/* ---- Another kind or OpenCL context ---------------------------------------------------------- */

/* PoCL accepts any object. */
static void other_kind(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_mem buffer = rules_make_buffer(scene);

    told.object = queue;
    AT(told.line, clSetMemObjectDestructorCallback(scene->is_wrong ? (cl_mem)(void *)queue : buffer,
                                                   ignore_memobj, NULL));
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
}

static void argument_of_other(const scene_t *scene)
{
    const size_t one = 1;
    told_t told = {.size = SIZE};
    cl_context other = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    cl_kernel kernel = rules_make_kernel(
        scene, "kernel void put(global int *to) { to[get_global_id(0)] = 1; }", "put");
    cl_mem buffer = AT(told.other_line, clCreateBuffer(scene->is_wrong ? other : scene->context,
                                                       CL_MEM_READ_WRITE, SIZE, NULL, NULL));

    told.object = buffer;
    told.other = kernel;
    clSetKernelArg(kernel, 0, sizeof(buffer), (const void *)&buffer);
    AT(told.line, clEnqueueNDRangeKernel(scene->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    clFinish(scene->queue);
    mistake_stop(scene, &told);
    if (!scene->is_wrong)
        clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseContext(other);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* A runtime may write the new event before it reads the list, and then waits for itself. */
static void own_event(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event events[2] = {NULL, NULL};

    clEnqueueMarkerWithWaitList(scene->queue, 0, NULL, &events[0]);
    cl_event before = events[0];
    told.line = __LINE__ + 2;
    mistake_tell(scene, &told);
    clEnqueueMarkerWithWaitList(scene->queue, 1, events, &events[scene->is_wrong ? 0 : 1]);
    mistake_halt(scene);
    clReleaseEvent(before);
    clReleaseEvent(events[scene->is_wrong ? 0 : 1]);
}

const mistake_t rules_of_handles[] = {
    {"flush-released", flush_released},
    {"query-released", query_released},
    {"retain-released", retain_released},
    {"register-released", register_released},
    {"divide-released", divide_released},
    {"read-released", read_released},
    {"migrate-released", migrate_released},
    {"create-from-released", create_from_released},
    {"create-in-released", create_in_released},
    {"await-released", await_released},
    {"handle-from-query", handle_from_query},
    {"other-kind", other_kind},
    {"argument-of-other", argument_of_other},
    {"own-event", own_event},
    {NULL, NULL},
};
