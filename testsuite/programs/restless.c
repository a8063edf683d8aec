/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that make, use and release OpenCL objects of all kinds without end, to be stopped
 * anywhere. They do not misuse OpenCL.
 *
 *     restless SEED [exit | steps]
 *
 * It writes a line when all threads are at work: the handles and sizes of permanent buffers, as
 * HANDLE:SIZE.  At the end of its input it ends: at once, or, with `exit`, by exit() when its
 * threads have ended.
 *
 * With `steps` the threads take turns, in an order that only depends on SEED, and the program stops
 * where its input says: see steps.c, which must be loaded before it.
 *
 * The size identifies a buffer, so that its row cannot be confused with another's. Its flags are
 * those of buffer_flags(), and the user data of its destructor callbacks is the size.
 */
#include "runtime.h"
#include "steps.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define LASTING 8 /* buffers that a thread retains */
#define MAX_POINTERS 3

/* Sizes of buffers are multiples of it. */
#define GRAIN 64
#define GRAINS 512

typedef struct worker_t {
    pthread_t thread;
    uint64_t random;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem lasting[LASTING]; /* made before the thread is at work */
    sem_t turn;
} worker_t;

static runtime_t runtime;
static worker_t workers[THREADS];
static pthread_barrier_t at_work;
static atomic_bool is_ending;
static bool has_turns;
static worker_t order; /* whose sequence selects the next thread */

/* The next number below COUNT of a thread's own sequence (xorshift64). */
static size_t draw(worker_t *worker, size_t count)
{
    uint64_t next = worker->random;
    next ^= next << 13;
    next ^= next >> 7;
    next ^= next << 17;
    worker->random = next;
    return (size_t)(next >> 16) % count;
}

static void require(cl_int status, const char *what)
{
    truth_require(status == CL_SUCCESS, what);
}

/* ---- Where the program may be held -------------------------------------------------------------
 */

static void count_steps(bool counts)
{
    if (has_turns)
        steps_count(counts);
}

/* Come to where a test may hold this thread. */
static void make_step(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    if (!has_turns)
        return;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

/* ---- Memory objects -------------------------------------------------------------------------- */

static cl_mem_flags buffer_flags(size_t size)
{
    return (size / GRAIN) % 2 == 0 ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
}

static void restless_destructor(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    make_step();
}

static cl_mem buffer_create(worker_t *worker)
{
    size_t size = GRAIN * (1 + draw(worker, GRAINS));
    cl_int status;
    cl_mem buffer = clCreateBuffer(worker->context, buffer_flags(size), size, NULL, &status);
    require(status, "no buffer");
    for (size_t i = draw(worker, 4); i > 0; i--)
        require(clSetMemObjectDestructorCallback(buffer, restless_destructor, (void *)size),
                "no destructor callback");
    return buffer;
}

static void buffers_make(worker_t *worker)
{
    cl_mem buffer = buffer_create(worker);
    size_t retained = draw(worker, 3);
    for (size_t i = 0; i < retained; i++)
        clRetainMemObject(buffer);
    for (size_t i = 0; i <= retained; i++)
        clReleaseMemObject(buffer);
}

static void sub_buffers_make(worker_t *worker)
{
    cl_int status;
    cl_mem parent = buffer_create(worker);
    const cl_buffer_region region = {0, GRAIN};
    cl_mem part = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    require(status, "no sub-buffer");
    bool is_parent_first = draw(worker, 2) == 0;
    clReleaseMemObject(is_parent_first ? parent : part);
    clReleaseMemObject(is_parent_first ? part : parent);
}

static void images_make(worker_t *worker)
{
    if (!runtime.has_images)
        return;
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description;
    cl_int status;
    memset(&description, 0, sizeof(description));
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = 16;
    description.image_height = 1 + draw(worker, 16);
    cl_mem image =
        clCreateImage(worker->context, CL_MEM_READ_WRITE, &format, &description, NULL, &status);
    require(status, "no image");
    clReleaseMemObject(image);
}

static void samplers_make(worker_t *worker)
{
    if (!runtime.has_images)
        return;
    cl_int status;
    cl_sampler sampler =
        clCreateSampler(worker->context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &status);
    require(status, "no sampler");
    clReleaseSampler(sampler);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void restless_event_callback(cl_event event, cl_int execution, void *user_data)
{
    (void)event;
    (void)execution;
    (void)user_data;
    make_step();
}

static void transfers_enqueue(worker_t *worker)
{
    char data[GRAIN] = {0};
    cl_event event;
    cl_mem buffer = buffer_create(worker);
    require(clEnqueueWriteBuffer(worker->queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL,
                                 &event),
            "no write");
    if (draw(worker, 2) == 0)
        clSetEventCallback(event, CL_COMPLETE, restless_event_callback, worker);
    bool is_buffer_first = draw(worker, 2) == 0;
    if (is_buffer_first)
        clReleaseMemObject(buffer);
    else
        require(clEnqueueReadBuffer(worker->queue, buffer, CL_TRUE, 0, sizeof(data), data, 1,
                                    &event, NULL),
                "no read");
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
    if (!is_buffer_first)
        clReleaseMemObject(buffer);
}

static void maps_enqueue(worker_t *worker)
{
    cl_int status;
    cl_mem buffer = buffer_create(worker);
    void *mapped = clEnqueueMapBuffer(worker->queue, buffer, CL_TRUE, CL_MAP_READ, 0, GRAIN, 0,
                                      NULL, NULL, &status);
    require(status, "no map");
    clEnqueueUnmapMemObject(worker->queue, buffer, mapped, 0, NULL, NULL);
    clFinish(worker->queue);
    clReleaseMemObject(buffer);
}

/* A command that waits for a user event, which this thread then sets. */
static void user_events_set(worker_t *worker)
{
    cl_int status;
    cl_event marker;
    cl_event gate = clCreateUserEvent(worker->context, &status);
    require(status, "no user event");
    require(clEnqueueMarkerWithWaitList(worker->queue, 1, &gate, &marker), "no marker");
    clFlush(worker->queue);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clWaitForEvents(1, &marker);
    clReleaseEvent(marker);
    clReleaseEvent(gate);
}

static void kernels_enqueue(worker_t *worker)
{
    const size_t one = 1;
    cl_mem buffer = buffer_create(worker);
    clSetKernelArg(worker->kernel, 0, sizeof(buffer), &buffer);
    require(
        clEnqueueNDRangeKernel(worker->queue, worker->kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        "no kernel enqueued");
    clFinish(worker->queue);
    clReleaseMemObject(buffer);
}

/* ---- Shared virtual memory ------------------------------------------------------------------- */

/* The memory that one command frees. Its callback has it as user data, since NVIDIA's runtime
 * passes a callback the array of the call, which may no longer exist. */
typedef struct svm_free_t {
    cl_context context;
    cl_uint count;
    void *pointers[MAX_POINTERS];
} svm_free_t;

static void restless_svm_free(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    svm_free_t *freed = data;
    make_step();
    for (cl_uint i = 0; i < freed->count; i++)
        clSVMFree(freed->context, freed->pointers[i]);
    free(freed);
    (void)queue;
    (void)count;
    (void)pointers;
}

static void svm_make(worker_t *worker)
{
    if (runtime.svm == 0)
        return;
    clSVMFree(worker->context, clSVMAlloc(worker->context, CL_MEM_READ_WRITE,
                                          GRAIN * (1 + draw(worker, GRAINS)), 0));
}

static void svm_frees_enqueue(worker_t *worker)
{
    svm_free_t freed = {worker->context, 0, {NULL}};
    size_t count = 1 + draw(worker, MAX_POINTERS);
    bool has_callback = draw(worker, 2) == 0;
    svm_free_t *kept = NULL;
    cl_event event = NULL;
    bool has_event = draw(worker, 2) == 0;
    if (runtime.svm == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        void *pointer = clSVMAlloc(freed.context, CL_MEM_READ_WRITE, GRAIN, 0);
        if (pointer != NULL) /* NVIDIA's runtime returns none at times */
            freed.pointers[freed.count++] = pointer;
    }
    if (freed.count == 0)
        return;
    if (has_callback) {
        kept = malloc(sizeof(*kept));
        truth_require(kept != NULL, "no memory");
        *kept = freed;
    }
    require(clEnqueueSVMFree(worker->queue, freed.count, freed.pointers,
                             has_callback ? restless_svm_free : NULL, kept, 0, NULL,
                             has_event ? &event : NULL),
            "no SVM free");
    clFinish(worker->queue);
    if (has_event)
        clReleaseEvent(event);
}

/* ---- Programs and contexts ------------------------------------------------------------------- */

static const char *const source = "kernel void rest(global int *word) { word[0] = 1; }";

static void programs_make(worker_t *worker)
{
    cl_int status;
    cl_program program =
        clCreateProgramWithSource(worker->context, 1, (const char **)&source, NULL, &status);
    require(status, "no program");
    clReleaseProgram(program);
}

static void kernels_make(worker_t *worker)
{
    cl_int status;
    cl_program program;
    clGetKernelInfo(worker->kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
    cl_kernel kernel = clCreateKernel(program, "rest", &status);
    require(status, "no kernel");
    clReleaseKernel(kernel);
}

static void contexts_make(worker_t *worker)
{
    cl_int status;
    cl_context outer = worker->context;
    worker->context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, &status);
    require(status, "no context");
    cl_command_queue queue = runtime_queue_create(&runtime, worker->context, 0);
    cl_mem buffer = buffer_create(worker);
    clReleaseContext(worker->context);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(buffer);
    worker->context = outer;
}

/* ---- What is no object ----------------------------------------------------------------------- */

static void calls_refused(worker_t *worker)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(worker->context, CL_MEM_READ_WRITE, 0, NULL, &status);
    truth_require(buffer == NULL, "a buffer of no bytes");
}

static void *thread_run(void *argument)
{
    count_steps(true);
    buffers_make(argument);
    count_steps(false);
    return NULL;
}

/* A thread that ends at once.  It draws of the sequence of the one that waits for it. */
static void threads_make(worker_t *worker)
{
    pthread_t thread;
    truth_require(pthread_create(&thread, NULL, thread_run, worker) == 0, "no thread");
    pthread_join(thread, NULL);
}

static void children_make(worker_t *worker)
{
    if (draw(worker, 16) > 0)
        return;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    truth_require(child > 0 && waitpid(child, NULL, 0) == child, "no child");
}

static void libraries_load(worker_t *worker)
{
    if (draw(worker, 4) > 0)
        return;
    void *library = dlopen(FILTER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    truth_require(library != NULL, "no library");
    dlclose(library);
}

/* ---- The threads ----------------------------------------------------------------------------- */

static void (*const activities[])(worker_t *) = {
    buffers_make,  sub_buffers_make, images_make,     samplers_make, transfers_enqueue,
    maps_enqueue,  user_events_set,  kernels_enqueue, svm_make,      svm_frees_enqueue,
    programs_make, kernels_make,     contexts_make,   calls_refused, threads_make,
    children_make, libraries_load,
};

static void be_active(worker_t *worker)
{
    activities[draw(worker, sizeof(activities) / sizeof(activities[0]))](worker);
}

/* Be active whenever it is this thread's turn, without end. */
static void take_turns(worker_t *worker)
{
    for (;;) {
        sem_wait(&worker->turn);
        count_steps(true);
        make_step();
        be_active(worker);
        count_steps(false);
        sem_post(&workers[draw(&order, THREADS)].turn);
    }
}

static void *worker_run(void *argument)
{
    worker_t *worker = argument;
    for (size_t i = 0; i < LASTING; i++)
        worker->lasting[i] = buffer_create(worker);
    pthread_barrier_wait(&at_work);
    if (has_turns)
        take_turns(worker);
    while (!is_ending)
        be_active(worker);
    return NULL;
}

static void worker_start(worker_t *worker, cl_context context, cl_program program, uint64_t random)
{
    cl_int status;
    worker->context = context;
    worker->random = random;
    worker->queue = runtime_queue_create(&runtime, context, 0);
    worker->kernel = clCreateKernel(program, "rest", &status);
    require(status, "no kernel");
    sem_init(&worker->turn, 0, 0);
    truth_require(pthread_create(&worker->thread, NULL, worker_run, worker) == 0, "no thread");
}

static void lasting_print(cl_mem buffer)
{
    size_t size;
    require(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(size), &size, NULL), "no size");
    printf("%p:%zu ", (void *)buffer, size);
}

int main(int argc, char **argv)
{
    cl_int status;
    bool is_exit = argc == 3 && strcmp(argv[2], "exit") == 0;
    has_turns = argc == 3 && strcmp(argv[2], "steps") == 0;
    truth_require(argc == 2 || is_exit || has_turns, "usage: restless SEED [exit | steps]");
    truth_require(!has_turns || steps_start != NULL, "what counts steps is not loaded");
    uint64_t seed = strtoull(argv[1], NULL, 10);
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, &status);
    require(status, "no context");
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
    require(status, "no program");
    require(clBuildProgram(program, 0, NULL, "", NULL, NULL), "no build");
    pthread_barrier_init(&at_work, NULL, THREADS + 1);
    for (size_t i = 0; i < THREADS; i++)
        worker_start(&workers[i], context, program, (seed * THREADS + i + 1) * 0x9e3779b97f4a7c15);
    pthread_barrier_wait(&at_work);
    for (size_t i = 0; i < THREADS * LASTING; i++)
        lasting_print(workers[i / LASTING].lasting[i % LASTING]);
    puts("");
    fflush(stdout);
    if (has_turns) {
        order.random = (seed * THREADS + THREADS + 1) * 0x9e3779b97f4a7c15;
        steps_start();
        sem_post(&workers[0].turn);
        for (;;)
            pause();
    }
    while (getchar() != EOF)
        continue;
    if (!is_exit)
        _exit(EXIT_SUCCESS); /* exit() would end the runtime under the threads */
    is_ending = true;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    return EXIT_SUCCESS;
}
