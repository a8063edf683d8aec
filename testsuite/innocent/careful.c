/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Does what comes close to breaking a rule of schema/rules.def, and breaks none: careful NAME. It
 * releases all and exits with status 0. The functions below say what each NAME is about.
 */
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SIZE ((size_t)4096)
#define ROUNDS 8

static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;

static cl_mem make_buffer(cl_context owner)
{
    cl_mem buffer = clCreateBuffer(owner, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

static void require(cl_int status, const char *what)
{
    truth_require(status == CL_SUCCESS, what);
}

static void do_in_thread(void *(*begin)(void *), void *argument)
{
    pthread_t thread;

    truth_require(pthread_create(&thread, NULL, begin, argument) == 0, "no thread");
    pthread_join(thread, NULL);
}

/* ---- Destructor callbacks -------------------------------------------------------------------- */

typedef struct task_t {
    cl_mem other; /* that the callback uses and releases */
    cl_command_queue queue;
    bool is_done;
} task_t;

static const char words[SIZE] = "in a callback";

/* Everything but the object of the callback may be used, without waiting. */
static void CL_CALLBACK use_other(cl_mem memory, void *argument)
{
    task_t *task = argument;
    size_t size = 0;

    (void)memory;
    clGetMemObjectInfo(task->other, CL_MEM_SIZE, sizeof(size), &size, NULL);
    clEnqueueWriteBuffer(task->queue, task->other, CL_FALSE, 0, SIZE, words, 0, NULL, NULL);
    clFlush(task->queue);
    clReleaseMemObject(task->other);
    clReleaseCommandQueue(task->queue);
    __atomic_store_n(&task->is_done, true, __ATOMIC_RELEASE);
}

static void CL_CALLBACK count(cl_mem memory, void *argument)
{
    (void)memory;
    ++*(int *)argument;
}

/* A callback uses another object and another queue. One function is registered several times with
 * other user data, and with the same user data for several objects. */
static void use_callbacks(void)
{
    int counts[2] = {0, 0};

    for (size_t i = 0; i < ROUNDS; i++) {
        task_t task = {make_buffer(context), runtime_queue_create(&runtime, context, 0), false};
        cl_mem buffer = make_buffer(context);
        clSetMemObjectDestructorCallback(buffer, count, &counts[0]);
        clSetMemObjectDestructorCallback(buffer, count, &counts[1]);
        clSetMemObjectDestructorCallback(buffer, use_other, &task);
        clReleaseMemObject(buffer);
        while (!__atomic_load_n(&task.is_done, __ATOMIC_ACQUIRE))
            sched_yield();
    }
}

/* ---- SVM ------------------------------------------------------------------------------------- */

static void CL_CALLBACK free_all(cl_command_queue from, cl_uint number, void *pointers[],
                                 void *argument)
{
    (void)from;
    for (cl_uint i = 0; i < number; i++)
        clSVMFree(context, pointers[i]);
    __atomic_store_n((bool *)argument, true, __ATOMIC_RELEASE);
}

/* Addresses are given out again, inner pointers are used, and one side of a copy is host memory. */
static void use_svm(void)
{
    char local[64] = "host memory";

    if (runtime.svm == 0)
        return;
    for (size_t i = 0; i < ROUNDS; i++) {
        bool is_freed = false;
        void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
        char *inner = (char *)memory + 64;
        require(clEnqueueSVMMemcpy(queue, CL_TRUE, inner, local, sizeof(local), 0, NULL, NULL),
                "no copy");
        require(clEnqueueSVMMemcpy(queue, CL_TRUE, local, inner, sizeof(local), 0, NULL, NULL),
                "no copy back");
        require(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, inner, 64, 0, NULL, NULL), "no map");
        require(clEnqueueSVMUnmap(queue, inner, 0, NULL, NULL), "no unmap");
        require(clFinish(queue), "no end");
        if (i % 3 == 0) {
            clSVMFree(context, memory);
        } else if (i % 3 == 1) {
            clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL);
        } else {
            clEnqueueSVMFree(queue, 1, &memory, free_all, &is_freed, 0, NULL, NULL);
            clFinish(queue);
            while (!__atomic_load_n(&is_freed, __ATOMIC_ACQUIRE))
                sched_yield();
        }
        clFinish(queue);
    }
    clSVMFree(context, NULL);
}

/* ---- Handles --------------------------------------------------------------------------------- */

/* Handles are given out again, and an object that others keep alive is asked for, and used. */
static void use_handles(void)
{
    const char *source = "kernel void set(global int *word) { word[0] = 1; }";

    for (size_t i = 0; i < ROUNDS; i++) {
        cl_context own = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
        cl_command_queue other = runtime_queue_create(&runtime, own, 0);
        cl_mem buffer = make_buffer(own);
        cl_program program = clCreateProgramWithSource(own, 1, &source, NULL, NULL);
        cl_context again = NULL;
        cl_kernel kernel;
        const size_t one = 1;
        require(clBuildProgram(program, 0, NULL, "", NULL, NULL), "no build");
        kernel = clCreateKernel(program, "set", NULL);
        clReleaseProgram(program);
        clReleaseContext(own);
        clGetCommandQueueInfo(other, CL_QUEUE_CONTEXT, sizeof(again), &again, NULL);
        clReleaseMemObject(make_buffer(again));
        require(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "no argument");
        require(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
                "no kernel");
        clReleaseKernel(kernel);
        clReleaseMemObject(buffer);
        clFinish(other);
        clReleaseCommandQueue(other);
    }
}

/* Commands store their events beside those that they wait for. */
static void use_events(void)
{
    cl_event events[ROUNDS];

    events[0] = clCreateUserEvent(context, NULL);
    for (size_t i = 1; i < ROUNDS; i++)
        require(clEnqueueMarkerWithWaitList(queue, (cl_uint)i, events, &events[i]), "no marker");
    clSetUserEventStatus(events[0], CL_COMPLETE);
    require(clWaitForEvents(ROUNDS, events), "no wait");
    for (size_t i = 0; i < ROUNDS; i++)
        clReleaseEvent(events[i]);
}

/* Commands are cancelled, and the program looks at each: by a wait, or by a query. */
static void use_failures(void)
{
    for (size_t i = 0; i < 2; i++) {
        cl_command_queue own = runtime_queue_create(&runtime, context, 0);
        cl_event gate = clCreateUserEvent(context, NULL);
        cl_int status = 1;
        cl_event event;
        require(clEnqueueMarkerWithWaitList(own, 1, &gate, &event), "no marker");
        clSetUserEventStatus(gate, -1);
        clFlush(own);
        if (i == 0)
            clWaitForEvents(1, &event);
        while (i == 1 && status > CL_COMPLETE)
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
        clReleaseEvent(event);
        clReleaseEvent(gate);
        clReleaseCommandQueue(own);
    }
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static const char kernel_source[] =
    "kernel void use(global int *word, int number, local int *room, float3 three, char2 both) {\n"
    "    room[get_local_id(0)] = number;\n"
    "    word[get_global_id(0)] = room[get_local_id(0)] + (int)three.x + both.y;\n"
    "}\n";

typedef struct worker_t {
    cl_kernel kernel;
    pthread_mutex_t *lock;
    cl_int number;
} worker_t;

static void enqueue_once(cl_kernel kernel)
{
    const size_t one = 1;

    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), "no kernel");
}

static void *set_and_enqueue(void *argument)
{
    worker_t *worker = argument;

    for (cl_int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(worker->lock);
        worker->number = i;
        clSetKernelArg(worker->kernel, 1, sizeof(worker->number), &worker->number);
        enqueue_once(worker->kernel);
        pthread_mutex_unlock(worker->lock);
    }
    return NULL;
}

static void *set_only(void *argument)
{
    worker_t *worker = argument;

    clSetKernelArg(worker->kernel, 1, sizeof(worker->number), &worker->number);
    return NULL;
}

/* Values stay set for later commands. Threads share a kernel under a lock, and one sets a value for
 * another. Arguments are local memory and vectors. */
static void use_kernels(void)
{
    const char *source = kernel_source;
    const cl_char both[2] = {1, 2};
    const cl_float three[4] = {1, 2, 3, 0};
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl_mem buffer = make_buffer(context);
    worker_t worker = {NULL, &lock, 7};
    worker_t workers[2];
    pthread_t threads[2];

    require(clBuildProgram(program, 0, NULL, "", NULL, NULL), "no build");
    worker.kernel = clCreateKernel(program, "use", NULL);
    require(clSetKernelArg(worker.kernel, 0, sizeof(buffer), &buffer), "no buffer argument");
    require(clSetKernelArg(worker.kernel, 1, sizeof(worker.number), &worker.number), "no number");
    require(clSetKernelArg(worker.kernel, 2, 128, NULL), "no local memory");
    require(clSetKernelArg(worker.kernel, 3, sizeof(three), three), "no vector");
    require(clSetKernelArg(worker.kernel, 4, sizeof(both), both), "no pair");
    for (size_t i = 0; i < ROUNDS; i++)
        enqueue_once(worker.kernel);
    do_in_thread(set_only, &worker);
    enqueue_once(worker.kernel);
    for (size_t i = 0; i < 2; i++) {
        workers[i] = (worker_t){worker.kernel, &lock, 0};
        pthread_create(&threads[i], NULL, set_and_enqueue, &workers[i]);
    }
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    clFinish(queue);
    clReleaseKernel(worker.kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
}

/* ---- Mappings and transfers ------------------------------------------------------------------ */

static void *map(cl_mem buffer, size_t offset)
{
    void *pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, offset, SIZE / 2, 0,
                                       NULL, NULL, NULL);

    truth_require(pointer != NULL, "no map");
    return pointer;
}

/* One region is mapped twice, and several are unmapped in another order, also by another queue. */
static void use_mappings(void)
{
    cl_command_queue other = runtime_queue_create(&runtime, context, 0);
    cl_mem buffer = make_buffer(context);

    for (size_t i = 0; i < ROUNDS; i++) {
        void *first = map(buffer, 0);
        void *again = map(buffer, 0);
        void *second = map(buffer, SIZE / 2);
        require(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL), "no unmap");
        require(clEnqueueUnmapMemObject(other, buffer, second, 0, NULL, NULL), "no unmap");
        require(clEnqueueUnmapMemObject(queue, buffer, again, 0, NULL, NULL), "no unmap");
        clFinish(other);
        clFinish(queue);
    }
    clReleaseCommandQueue(other);
    clReleaseMemObject(buffer);
}

/* Nothing is used after it: it waits for the command in one of four ways. */
static void read_in_frame(cl_mem buffer, size_t way)
{
    char local[SIZE];
    cl_int status = 1;
    cl_event event;

    require(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, SIZE, local, 0, NULL, &event),
            "no read");
    clFlush(queue);
    if (way == 0)
        clWaitForEvents(1, &event);
    else if (way == 1)
        clFinish(queue);
    else if (way == 2)
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1, "x", 0, NULL, NULL);
    while (way == 3 && status != CL_COMPLETE)
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    clReleaseEvent(event);
}

/* The last row of a rectangle is shorter than the pitch, and memory is freed after its transfer. */
static void use_transfers(void)
{
    const size_t origin[3] = {0, 0, 0};
    const size_t region[3] = {16, 4, 1};
    const size_t pitch = 64;
    cl_mem buffer = make_buffer(context);

    for (size_t i = 0; i < ROUNDS; i++) {
        const size_t least = 3 * pitch + region[0];
        char *memory = malloc(least);
        truth_require(memory != NULL, "no memory");
        memset(memory, 0, least);
        require(clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, origin, origin, region, 0, 0,
                                         pitch, 0, memory, 0, NULL, NULL),
                "no rectangle");
        read_in_frame(buffer, i % 4);
        free(memory);
    }
    clReleaseMemObject(buffer);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*use)(void);
    } usages[] = {{"callbacks", use_callbacks}, {"svm", use_svm},
                  {"handles", use_handles},     {"events", use_events},
                  {"failures", use_failures},   {"kernels", use_kernels},
                  {"mappings", use_mappings},   {"transfers", use_transfers}};
    bool is_known = false;

    truth_require(argc == 2, "usage: careful NAME");
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    for (size_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        if (strcmp(usages[i].name, argv[1]) != 0)
            continue;
        usages[i].use();
        is_known = true;
    }
    clFinish(queue);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return is_known ? 0 : 2;
}
