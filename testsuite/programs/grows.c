/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Has few objects at its first stop, and others at the second: grows [build].  With `build` it has
 * kernels, too, which needs a compiler.
 *
 * At each it writes a line of JSON with the number of live objects of each place and kind, their
 * bytes, and the numbers made and destroyed so far. Then it waits for a line of its input. After
 * the second stop, or at the end of its input, it aborts.
 */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_SIZE 65536
#define SCRATCH_SIZE 1048576
#define SHARED_SIZE 131072
#define MOST 64

/* A place that makes objects of one kind. */
typedef struct place_t {
    const char *function;
    const char *kind;
    int count;
    int bytes;
    int made;
    int destroyed;
} place_t;

static place_t places[16];
static int place_count;
static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;
static cl_event gate;
static cl_program program;
static void *kept[MOST];
static int kept_count;
static bool builds;

static place_t *place_of(const char *function, const char *kind)
{
    for (int i = 0; i < place_count; i++)
        if (strcmp(places[i].function, function) == 0 && strcmp(places[i].kind, kind) == 0)
            return &places[i];
    places[place_count] = (place_t){.function = function, .kind = kind};
    return &places[place_count++];
}

/* HANDLE was made by FUNCTION. */
static void *made(const char *function, const char *kind, void *handle, int bytes)
{
    place_t *place = place_of(function, kind);

    truth_require(handle != NULL, kind);
    place->count++;
    place->made++;
    place->bytes += bytes;
    kept[kept_count++ % MOST] = handle;
    return handle;
}

static void destroyed(const char *function, const char *kind, int bytes)
{
    place_t *place = place_of(function, kind);

    place->count--;
    place->destroyed++;
    place->bytes -= bytes;
}

#ifdef __clang__
#define NOT_INLINED __attribute__((noinline)) static
#else
#define NOT_INLINED __attribute__((noinline, noclone)) static
#endif

NOT_INLINED cl_mem make_tile(void)
{
    return made("make_tile", "memobj",
                clCreateBuffer(context, CL_MEM_READ_WRITE, TILE_SIZE, NULL, NULL), TILE_SIZE);
}

/* It has no bytes of its own. */
NOT_INLINED void make_part(cl_mem tile)
{
    cl_buffer_region region = {0, TILE_SIZE / 2};

    /* A call of several lines: which of them it is at not all readers of line tables agree on. */
    made("make_part", "memobj",
         clCreateSubBuffer(tile, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL),
         0);
}

NOT_INLINED cl_mem make_scratch(void)
{
    return made("make_scratch", "memobj",
                clCreateBuffer(context, CL_MEM_READ_WRITE, SCRATCH_SIZE, NULL, NULL), SCRATCH_SIZE);
}

NOT_INLINED cl_event make_event(void)
{
    return made("make_event", "event", clCreateUserEvent(context, NULL), 0);
}

NOT_INLINED cl_kernel make_kernel(void)
{
    return made("make_kernel", "kernel", clCreateKernel(program, "nothing", NULL), 0);
}

NOT_INLINED cl_sampler make_sampler(void)
{
    return made("make_sampler", "sampler",
                clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL), 0);
}

NOT_INLINED cl_context make_context(void)
{
    return made("make_context", "context",
                clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL), 0);
}

NOT_INLINED cl_command_queue make_queue(void)
{
    return made("make_queue", "queue", runtime_queue_create(&runtime, context, 0), 0);
}

NOT_INLINED cl_program make_program(void)
{
    const char *source = "kernel void nothing(void) {}";
    cl_program found = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

    if (builds)
        truth_require(clBuildProgram(found, 1, &runtime.device, "", NULL, NULL) == CL_SUCCESS,
                      "no build");
    return made("make_program", "program", found, 0);
}

/* A command that waits until the event is set. */
NOT_INLINED void enqueue_marker(void)
{
    truth_require(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL) == CL_SUCCESS, "no marker");
    made("enqueue_marker", "command", &gate, 0);
}

NOT_INLINED void *make_shared(void)
{
    return made("make_shared", "svm", clSVMAlloc(context, CL_MEM_READ_WRITE, SHARED_SIZE, 0),
                SHARED_SIZE);
}

static void *thread(void *argument)
{
    make_context();
    return argument;
}

static void stop(void)
{
    const char *between = "[";

    for (int i = 0; i < place_count; i++) {
        printf("%s{\"function\": \"%s\", \"kind\": \"%s\", \"count\": %d, \"bytes\": %d, "
               "\"made\": %d, \"destroyed\": %d}",
               between, places[i].function, places[i].kind, places[i].count, places[i].bytes,
               places[i].made, places[i].destroyed);
        between = ", ";
    }
    printf("]\n");
    fflush(stdout);
    if (getchar() != EOF)
        return;
    /* Runtimes handle it. */
    signal(SIGABRT, SIG_DFL);
    abort();
}

int main(int argc, char **argv)
{
    cl_sampler sampler;
    cl_mem scratch;
    pthread_t maker;
    cl_mem tile;

    builds = argc > 1 && strcmp(argv[1], "build") == 0;
    runtime_find(&runtime);
    context = make_context();
    queue = make_queue();
    program = make_program();
    gate = make_event();
    scratch = make_scratch();
    sampler = make_sampler();
    for (int i = 0; i < 3; i++)
        tile = make_tile();
    if (builds)
        make_kernel();
    stop();

    clReleaseMemObject(scratch);
    destroyed("make_scratch", "memobj", SCRATCH_SIZE);
    make_scratch();
    clReleaseSampler(sampler);
    destroyed("make_sampler", "sampler", 0);
    for (int i = 0; i < 4; i++)
        tile = make_tile();
    make_part(tile);
    for (int i = 0; i < 5; i++)
        make_event();
    if (builds)
        make_kernel();
    truth_require(pthread_create(&maker, NULL, thread, NULL) == 0, "no thread");
    truth_require(pthread_join(maker, NULL) == 0, "no end of a thread");
    if ((runtime.svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0)
        make_shared();
    for (int i = 0; i < 2; i++)
        enqueue_marker();
    stop();
    signal(SIGABRT, SIG_DFL);
    abort();
}
