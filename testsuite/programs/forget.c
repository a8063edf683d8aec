/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Forgets to release objects, or releases all: forget NAME wrong|right [abort|wait].  NAME is
 *
 *     library  a library's function that is called FRAMES times leaks a buffer, a program, a
 *              kernel and an event
 *     event    one event is leaked, which keeps its command and queue alive
 *     growth   a buffer is leaked in each of FRAMES frames; KEPT others are in use
 *     events   about a third of the events of MANY commands is leaked
 *     order    each of JOBS jobs releases its context, and leaks its program
 *     backend  long-lived objects are never released: queue, kernels, SVM, context
 *     sampler  one object of every kind is leaked
 *
 * Then it writes a line of JSON to its standard output, calls truth_stop, releases the objects that
 * it uses, and ends. With the word `abort` it aborts at the stop. With `wait` it aborts there
 * when there is input on its standard input.
 */
#include "runtime.h"

#include "filter.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 24
#define KEPT 3
#define MANY 432
#define JOBS 3
#define KERNELS 3
#define TILE_SIZE ((size_t)65536)

static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;
static cl_mem kept[KEPT];
static bool is_wrong;

static void apply_filter(void)
{
    void *library = dlopen(FILTER_LIBRARY, RTLD_NOW);
    filter_apply_t *apply;
    void *symbol;

    truth_require(library != NULL, "no library");
    symbol = dlsym(library, "filter_apply");
    truth_require(symbol != NULL, "no function");
    memcpy(&apply, &symbol, sizeof(apply));
    for (int i = 0; i < FRAMES; i++)
        apply(context, queue, !is_wrong);
}

static void forget_event(void)
{
    cl_event event;

    truth_require(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) == CL_SUCCESS, "no marker");
    clFinish(queue);
    if (!is_wrong)
        clReleaseEvent(event);
}

static cl_mem make_tile(void)
{
    cl_mem tile = clCreateBuffer(context, CL_MEM_READ_WRITE, TILE_SIZE, NULL, NULL);

    truth_require(tile != NULL, "no buffer");
    return tile;
}

__attribute__((noinline)) static void draw_frame(void)
{
    cl_mem tile = make_tile();

    clFinish(queue);
    if (!is_wrong)
        clReleaseMemObject(tile);
}

static void grow(void)
{
    for (int i = 0; i < KEPT; i++)
        kept[i] = make_tile();
    for (int i = 0; i < FRAMES; i++)
        draw_frame();
}

/* The branch that forgets it is taken now and then. */
static void copy_all(void)
{
    cl_event event;

    for (int i = 0; i < MANY; i++) {
        truth_require(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) == CL_SUCCESS,
                      "no marker");
        if (!is_wrong || i % 9 > 1)
            clReleaseEvent(event);
    }
    clFinish(queue);
}

static cl_program program_of(cl_context of)
{
    static const char *source = "kernel void blur(global int *word) { word[0] = 1; }";
    cl_program program = clCreateProgramWithSource(of, 1, &source, NULL, NULL);

    truth_require(program != NULL, "no program");
    return program;
}

__attribute__((noinline)) static void do_job(void)
{
    cl_context own = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_program program = program_of(own);

    clReleaseContext(own);
    if (!is_wrong)
        clReleaseProgram(program);
}

static void do_jobs(void)
{
    /* So that no compiler turns the last one into a tail call. */
    for (volatile int i = 0; i < JOBS; i++)
        do_job();
}

/* Its global variables, until the program ends. */
static cl_context own_context;
static cl_command_queue own_queue;
static cl_program own_program;
static cl_kernel kernels[KERNELS];
static void *scratch;

static void open_backend(void)
{
    own_context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    own_queue = runtime_queue_create(&runtime, own_context, 0);
    own_program = program_of(own_context);
    truth_require(clBuildProgram(own_program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    for (int i = 0; i < KERNELS; i++)
        kernels[i] = clCreateKernel(own_program, "blur", NULL);
    scratch = clSVMAlloc(own_context, CL_MEM_READ_WRITE, TILE_SIZE, 0);
}

static void close_backend(void)
{
    clSVMFree(own_context, scratch);
    for (int i = 0; i < KERNELS; i++)
        clReleaseKernel(kernels[i]);
    clReleaseProgram(own_program);
    clReleaseCommandQueue(own_queue);
    clReleaseContext(own_context);
}

static void use_backend(void)
{
    open_backend();
    if (!is_wrong)
        close_backend();
}

static void forget_sampler(void)
{
    cl_sampler sampler =
        clCreateSampler(context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_LINEAR, NULL);

    truth_require(sampler != NULL, "no sampler");
    open_backend();
    close_backend();
    if (!is_wrong)
        clReleaseSampler(sampler);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"library", apply_filter},   {"event", forget_event}, {"growth", grow},
    {"events", copy_all},        {"order", do_jobs},      {"backend", use_backend},
    {"sampler", forget_sampler},
};

static void stop(const char *how)
{
    printf("{\"context\": \"%p\", \"queue\": \"%p\", \"frames\": %d, \"lwp\": %d}\n",
           (void *)context, (void *)queue, FRAMES, (int)getpid());
    fflush(stdout);
    if (strcmp(how, "wait") == 0)
        truth_await_input();
    if (strcmp(how, "abort") == 0 || strcmp(how, "wait") == 0)
        abort();
    truth_stop("forget");
}

int main(int argc, char **argv)
{
    size_t number = 0;

    truth_require(argc > 2, "usage: forget NAME wrong|right [abort|wait]");
    is_wrong = strcmp(argv[2], "wrong") == 0;
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    while (number < sizeof(cases) / sizeof(cases[0]) && strcmp(cases[number].name, argv[1]) != 0)
        number++;
    truth_require(number < sizeof(cases) / sizeof(cases[0]), "there is no such case");
    cases[number].run();
    stop(argc > 3 ? argv[3] : "");
    for (int i = 0; i < KEPT && kept[i] != NULL; i++)
        clReleaseMemObject(kept[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
