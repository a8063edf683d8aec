/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Uses OpenCL as it may be used, in ways that look like mistakes: usages NAME.  It releases all and
 * exits with status 0.  NAME is
 *
 *     tiles      sub-buffers with a common part, and buffers over the same host memory, are used
 * one after the other unwritten  host memory and user data are blocks that malloc gave out again,
 * not yet written handler    a signal handler sets the event that the only thread waits for reader
 * a thread that never called OpenCL sets it, once it has read a byte table      a callback chooses
 * which of two events it sets options    a program has long options, and its kernel 20 arguments
 * that are released early child      a destructor callback forks, and another starts a program
 *     fallback   a program that does not compile is kept while another is used in its place
 *     recycled   SVM allocations are freed by commands, and given out again
 */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 4096
#define BLOCKS 8
#define ARGUMENTS 20
#define ROUNDS 4

static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;
static cl_event gate;
static char bytes[SIZE];

static cl_mem buffer_of(cl_mem_flags flags, size_t size, void *memory)
{
    cl_mem buffer = clCreateBuffer(context, flags, size, memory, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

static void fill(cl_mem buffer, size_t size)
{
    const char nought = 0;
    truth_require(clEnqueueFillBuffer(queue, buffer, &nought, 1, 0, size, 0, NULL, NULL) ==
                      CL_SUCCESS,
                  "no fill");
    clFinish(queue);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void use_tiles(void)
{
    cl_mem whole = buffer_of(CL_MEM_READ_WRITE, 4 * SIZE, NULL);
    cl_mem one = buffer_of(CL_MEM_USE_HOST_PTR, SIZE, bytes);
    cl_mem other = buffer_of(CL_MEM_USE_HOST_PTR, SIZE, bytes);
    for (size_t i = 0; i < 3; i++) {
        const cl_buffer_region region = {i * SIZE, 2 * (size_t)SIZE};
        cl_mem tile = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                        &region, NULL);
        truth_require(tile != NULL, "no sub-buffer");
        fill(tile, 2 * (size_t)SIZE);
        clReleaseMemObject(tile);
    }
    fill(one, SIZE);
    fill(other, SIZE);
    clReleaseMemObject(one);
    clReleaseMemObject(other);
    clReleaseMemObject(whole);
}

static void CL_CALLBACK write_and_free(cl_mem buffer, void *user_data)
{
    (void)buffer;
    memset(user_data, 1, 24);
    free(user_data);
}

/* Blocks of SIZE bytes that were used and freed, of which the last is given out again. */
static void *recycled(size_t size)
{
    void *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(size);
    for (size_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return malloc(size);
}

static void use_unwritten(void)
{
    static const size_t sizes[] = {24, 200, 1000, 5000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        void *memory = recycled(sizes[i]);
        cl_mem buffer = buffer_of(CL_MEM_USE_HOST_PTR | CL_MEM_WRITE_ONLY, sizes[i], memory);
        clSetMemObjectDestructorCallback(buffer, write_and_free, recycled(sizes[i]));
        clFinish(queue);
        clReleaseMemObject(buffer);
        free(memory);
    }
}

static void use_recycled(void)
{
    if (runtime.svm == 0)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
        truth_require(memory != NULL, "no SVM");
        clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL);
        if (i % 2 == 0)
            clFinish(queue);
    }
    clFinish(queue);
}

/* ---- Who sets an event ----------------------------------------------------------------------- */

static void set_gate(int number)
{
    (void)number;
    clSetUserEventStatus(gate, CL_COMPLETE);
}

/* Wait for a command that waits for the gate, and then for the THREAD that opens it, if one does:
 * its call works on the gate as long as it has not returned. */
static void wait_for_gate(const pthread_t *thread)
{
    cl_mem buffer = buffer_of(CL_MEM_READ_WRITE, SIZE, NULL);
    clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, bytes, 1, &gate, NULL);
    clFinish(queue);
    clReleaseMemObject(buffer);
    if (thread != NULL)
        pthread_join(*thread, NULL);
    clReleaseEvent(gate);
}

static void use_handler(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 200000}};
    gate = clCreateUserEvent(context, NULL);
    signal(SIGALRM, set_gate);
    setitimer(ITIMER_REAL, &soon, NULL);
    wait_for_gate(NULL);
}

static void *set_when_read(void *argument)
{
    const int *end = argument;
    char byte;
    truth_require(read(*end, &byte, 1) == 1, "no byte");
    clSetUserEventStatus(gate, CL_COMPLETE);
    return NULL;
}

/* The byte comes from a child, when it ends. */
static void use_reader(void)
{
    pthread_t thread;
    int ends[2];
    truth_require(pipe(ends) == 0, "no pipe");
    pid_t child = fork();
    if (child == 0) {
        usleep(200000);
        _exit(write(ends[1], "x", 1) != 1);
    }
    gate = clCreateUserEvent(context, NULL);
    truth_require(pthread_create(&thread, NULL, set_when_read, &ends[0]) == 0, "no thread");
    wait_for_gate(&thread);
    waitpid(child, NULL, 0);
}

typedef struct table_t {
    cl_event events[2];
    size_t which;
} table_t;

static void CL_CALLBACK set_one_of(cl_event event, cl_int status, void *user_data)
{
    const table_t *table = user_data;
    (void)event;
    (void)status;
    clSetUserEventStatus(table->events[table->which], CL_COMPLETE);
}

static void use_table(void)
{
    static table_t table;
    cl_event markers[2];
    for (size_t i = 0; i < 2; i++) {
        cl_command_queue own = runtime_queue_create(&runtime, context, 0);
        table.events[i] = clCreateUserEvent(context, NULL);
        clEnqueueMarkerWithWaitList(own, 1, &table.events[i], &markers[i]);
        clFlush(own);
        clReleaseCommandQueue(own);
    }
    table.which = 1;
    clSetEventCallback(markers[0], CL_COMPLETE, set_one_of, &table);
    clSetUserEventStatus(table.events[0], CL_COMPLETE);
    clWaitForEvents(2, markers);
    for (size_t i = 0; i < 2; i++) {
        clReleaseEvent(markers[i]);
        clReleaseEvent(table.events[i]);
    }
}

/* ---- Programs -------------------------------------------------------------------------------- */

static cl_program program_of(const char *source, const char *options)
{
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    truth_require(program != NULL, "no program");
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
    return program;
}

static void use_options(void)
{
    char options[ARGUMENTS * 24] = "";
    char source[ARGUMENTS * 24] = "kernel void add(global int *a0";
    const size_t one = 1;
    for (int i = 0; i < ARGUMENTS; i++)
        sprintf(options + strlen(options), "-DVALUE_%d=%d ", i, 1000 + i);
    for (int i = 1; i < ARGUMENTS; i++)
        sprintf(source + strlen(source), ", global int *a%d", i);
    strcat(source, ") { a19[0] = VALUE_19; }");
    cl_program program = program_of(source, options);
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    cl_mem buffers[ARGUMENTS];
    for (cl_uint i = 0; i < ARGUMENTS; i++) {
        buffers[i] = buffer_of(CL_MEM_READ_WRITE, SIZE, NULL);
        clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    }
    truth_require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) ==
                      CL_SUCCESS,
                  "no kernel");
    for (cl_uint i = 0; i < ARGUMENTS; i++)
        clReleaseMemObject(buffers[i]);
    clFinish(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static void use_fallback(void)
{
    const size_t one = 1;
    cl_program fast = program_of("kernel void run(void) { not_of_this_device(); }", "");
    cl_program plain = program_of("kernel void run(void) {}", "");
    cl_kernel kernel = clCreateKernel(plain, "run", NULL);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    clFinish(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(plain);
    clReleaseProgram(fast);
}

/* ---- Processes ------------------------------------------------------------------------------- */

static void CL_CALLBACK have_child(cl_mem buffer, void *user_data)
{
    pid_t *child = user_data;
    (void)buffer;
    *child = fork();
    if (*child == 0)
        _exit(0);
}

static void CL_CALLBACK start_program(cl_mem buffer, void *user_data)
{
    char *words[] = {"true", NULL};
    char *variables[] = {NULL};
    (void)buffer;
    truth_require(posix_spawnp(user_data, "true", NULL, NULL, words, variables) == 0, "no process");
}

static void use_child(void)
{
    static void(CL_CALLBACK *const callbacks[])(cl_mem, void *) = {have_child, start_program};
    for (size_t i = 0; i < 2; i++) {
        pid_t child = 0;
        cl_mem buffer = buffer_of(CL_MEM_READ_WRITE, SIZE, NULL);
        clSetMemObjectDestructorCallback(buffer, callbacks[i], &child);
        clReleaseMemObject(buffer);
        clFinish(queue);
        waitpid(child, NULL, 0);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*use)(void);
    } usages[] = {
        {"tiles", use_tiles},       {"unwritten", use_unwritten}, {"handler", use_handler},
        {"reader", use_reader},     {"table", use_table},         {"options", use_options},
        {"fallback", use_fallback}, {"child", use_child},         {"recycled", use_recycled}};
    bool is_known = false;
    truth_require(argc == 2, "usage: usages NAME");
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    for (size_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        if (strcmp(usages[i].name, argv[1]) != 0)
            continue;
        usages[i].use();
        is_known = true;
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return is_known ? 0 : 2;
}
