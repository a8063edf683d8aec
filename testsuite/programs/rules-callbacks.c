/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that are undefined in callbacks, callbacks that cannot be called, and those that are
 * registered twice. At the stop the callbacks have returned. */
#include "rules.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

/* What the callbacks use, and where they do so. */
static const scene_t *scene_called;
static cl_mem other_buffer;
static cl_command_queue queue_called;
static cl_kernel kernel_called;
static cl_program program_called;
static int line_called;
static bool has_returned;

/* Wait until the runtime has called the callback, perhaps in a thread of its own. */
static void await_return(void)
{
    while (!__atomic_load_n(&has_returned, __ATOMIC_ACQUIRE))
        sched_yield();
}

/* The callback of an object that was registered first is called last. */
static void CL_CALLBACK note_return(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    __atomic_store_n(&has_returned, true, __ATOMIC_RELEASE);
}

/* Release a buffer whose destructor callback is FUNCTION. Stop when it has returned. */
static void destroy_with(const scene_t *scene, void(CL_CALLBACK *function)(cl_mem, void *),
                         const void *other)
{
    told_t told = {.size = SIZE, .other = other};
    cl_mem buffer = rules_make_buffer(scene);

    scene_called = scene;
    other_buffer = rules_make_buffer(scene);
    __atomic_store_n(&has_returned, false, __ATOMIC_RELEASE);
    clSetMemObjectDestructorCallback(buffer, note_return, NULL);
    AT(told.other_line, clSetMemObjectDestructorCallback(buffer, function, NULL));
    told.object = buffer;
    clReleaseMemObject(buffer);
    await_return();
    clFinish(scene->queue);
    clReleaseMemObject(other_buffer);
    told.line = line_called;
    mistake_stop(scene, &told);
}

/* ---- Code ------------------------------------------------------------------------------------ */

static void CL_CALLBACK do_nothing(cl_mem memory, void *argument)
{
    (void)memory;
    (void)argument;
}

/* In place of a function of a library that was unloaded. The runtime would crash if it called it.
 */
static void no_code(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void(CL_CALLBACK * function)(cl_mem, void *) = do_nothing;
    cl_mem buffer = rules_make_buffer(scene);

    truth_require(code != MAP_FAILED && munmap(code, SIZE) == 0, "no memory");
    if (scene->is_wrong)
        memcpy(&function, &code, sizeof(function));
    AT(told.line, clSetMemObjectDestructorCallback(buffer, function, NULL));
    told.object = buffer;
    told.address = (uintptr_t)code;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

/* ---- The object of the callback -------------------------------------------------------------- */

static void CL_CALLBACK query(cl_mem memory, void *user_data)
{
    size_t size;
    cl_mem queried = scene_called->is_wrong ? memory : other_buffer;
    (void)user_data;
    AT(line_called, clGetMemObjectInfo(queried, CL_MEM_SIZE, sizeof(size), &size, NULL));
}

static void callback_queries(const scene_t *scene)
{
    destroy_with(scene, query, NULL);
}

/* Its handle is a value that the kernel gets. */
static void CL_CALLBACK set_argument(cl_mem memory, void *user_data)
{
    cl_mem argument = scene_called->is_wrong ? memory : other_buffer;
    (void)user_data;
    AT(line_called, clSetKernelArg(kernel_called, 0, sizeof(argument), &argument));
}

static void callback_sets_argument(const scene_t *scene)
{
    kernel_called =
        rules_make_kernel(scene, "kernel void blur(global int *word) { word[0] = 1; }", "blur");
    destroy_with(scene, set_argument, NULL);
    clReleaseKernel(kernel_called);
}

/* PoCL aborts in the call. */
static void CL_CALLBACK release_own(cl_mem memory, void *told_before)
{
    told_t *told = told_before;

    told->line = __LINE__ + 3;
    mistake_tell(scene_called, told);
    if (scene_called->is_wrong)
        clReleaseMemObject(memory);
}

static void callback_released(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);

    scene_called = scene;
    __atomic_store_n(&has_returned, false, __ATOMIC_RELEASE);
    told.object = buffer;
    clSetMemObjectDestructorCallback(buffer, note_return, NULL);
    AT(told.other_line, clSetMemObjectDestructorCallback(buffer, release_own, &told));
    clReleaseMemObject(buffer);
    await_return();
    mistake_halt(scene);
}

/* ---- Calls that block ------------------------------------------------------------------------ */

/* Nothing is in the queue, so that both return at once. */
static void CL_CALLBACK finish(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    if (scene_called->is_wrong)
        AT(line_called, clFinish(scene_called->queue));
    else
        AT(line_called, clFlush(scene_called->queue));
}

static void callback_waited(const scene_t *scene)
{
    destroy_with(scene, finish, scene->queue);
}

static void CL_CALLBACK read_other(cl_mem memory, void *user_data)
{
    static char bytes[SIZE];
    (void)memory;
    (void)user_data;
    AT(line_called, clEnqueueReadBuffer(scene_called->queue, other_buffer, scene_called->is_wrong,
                                        0, SIZE, bytes, 0, NULL, NULL));
    clFlush(scene_called->queue);
}

static void callback_read(const scene_t *scene)
{
    destroy_with(scene, read_other, scene->queue);
}

/* The command waits for the gate. */
static void CL_CALLBACK enqueue(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    AT(line_called, clEnqueueMarkerWithWaitList(queue_called, 1, &scene_called->gate, NULL));
    if (!scene_called->is_wrong)
        clFlush(queue_called);
}

static void callback_unflushed(const scene_t *scene)
{
    queue_called = runtime_queue_create(&scene->runtime, scene->context, 0);
    destroy_with(scene, enqueue, queue_called);
    clReleaseCommandQueue(queue_called);
}

static void CL_CALLBACK built(cl_program program, void *user_data)
{
    (void)program;
    (void)user_data;
}

/* With a callback of its own the build need not block, even if it does. */
static void CL_CALLBACK build(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    AT(line_called,
       clBuildProgram(program_called, 0, NULL, "", scene_called->is_wrong ? NULL : built, NULL));
}

static void callback_built(const scene_t *scene)
{
    const char *text = "kernel void blur(global int *word) { word[0] = 2; }";

    program_called = clCreateProgramWithSource(scene->context, 1, &text, NULL, NULL);
    destroy_with(scene, build, program_called);
    clReleaseProgram(program_called);
}

static void CL_CALLBACK wait_for_event(cl_event event, cl_int status, void *complete)
{
    cl_event events[] = {complete};
    (void)event;
    (void)status;
    if (scene_called->is_wrong)
        AT(line_called, clWaitForEvents(1, events));
    else
        AT(line_called, clGetEventInfo(events[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                       &status, NULL));
    __atomic_store_n(&has_returned, true, __ATOMIC_RELEASE);
}

static void event_callback_waited(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event = clCreateUserEvent(scene->context, NULL);
    cl_event complete = clCreateUserEvent(scene->context, NULL);
    scene_called = scene;
    __atomic_store_n(&has_returned, false, __ATOMIC_RELEASE);
    clSetUserEventStatus(complete, CL_COMPLETE);
    AT(told.other_line, clSetEventCallback(event, CL_COMPLETE, wait_for_event, complete));
    clSetUserEventStatus(event, CL_COMPLETE);
    await_return();
    clReleaseEvent(event);
    clReleaseEvent(complete);
    told.object = event;
    told.other = complete;
    told.line = line_called;
    mistake_stop(scene, &told);
}

/* ---- Contexts and queues --------------------------------------------------------------------- */

static void CL_CALLBACK create_queue(cl_mem memory, void *user_data)
{
    cl_command_queue queue = scene_called->queue;
    (void)memory;
    (void)user_data;
    if (scene_called->is_wrong)
        AT(line_called, queue = clCreateCommandQueue(scene_called->context,
                                                     scene_called->runtime.device, 0, NULL));
    else
        AT(line_called, clRetainCommandQueue(queue));
    clReleaseCommandQueue(queue);
}

static void callback_created_queue(const scene_t *scene)
{
    destroy_with(scene, create_queue, scene->context);
}

static void CL_CALLBACK create_context(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    if (scene_called->is_wrong)
        clReleaseContext(AT(line_called, clCreateContext(NULL, 1, &scene_called->runtime.device,
                                                         NULL, NULL, NULL)));
    else
        clReleaseMemObject(AT(line_called, clCreateBuffer(scene_called->context, CL_MEM_READ_WRITE,
                                                          SIZE, NULL, NULL)));
}

static void callback_created_context(const scene_t *scene)
{
    destroy_with(scene, create_context, NULL);
}

/* ---- Registrations --------------------------------------------------------------------------- */

static void CL_CALLBACK count_destroyed(cl_mem memory, void *count)
{
    (void)memory;
    if (count != NULL)
        ++*(int *)count;
}

/* Twice without user data is no mistake, and twice with different data is none. */
static void callback_registered_twice(const scene_t *scene)
{
    static int counts[2];
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);
    clSetMemObjectDestructorCallback(buffer, count_destroyed, NULL);
    AT(told.other_line, clSetMemObjectDestructorCallback(buffer, count_destroyed, &counts[0]));
    clSetMemObjectDestructorCallback(buffer, count_destroyed, NULL);
    AT(told.line,
       clSetMemObjectDestructorCallback(buffer, count_destroyed, &counts[scene->is_wrong ? 0 : 1]));
    told.object = buffer;
    told.address = (uintptr_t)counts;
    clReleaseMemObject(buffer);
    mistake_stop(scene, &told);
}

const mistake_t rules_of_callbacks[] = {
    {"no-code", no_code},
    {"callback-queries", callback_queries},
    {"callback-sets-argument", callback_sets_argument},
    {"callback-released", callback_released},
    {"callback-waited", callback_waited},
    {"callback-read", callback_read},
    {"callback-unflushed", callback_unflushed},
    {"callback-built", callback_built},
    {"event-callback-waited", event_callback_waited},
    {"callback-created-queue", callback_created_queue},
    {"callback-created-context", callback_created_context},
    {"callback-registered-twice", callback_registered_twice},
    {NULL, NULL},
};
