/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creates all kinds of OpenCL objects and stops four times: in main; inside a destructor callback;
 * when all commands have finished; when everything has been released.
 *
 *     truth-program DIRECTORY [abort-main | abort-destructor | wait | stop]
 *
 * Before each stop it writes DIRECTORY/<stop>.json, <stop> being main, destructor, finished or
 * released.  A stop calls truth_stop; or abort() where asked for; or, for `wait`, writes the line
 * <stop> and reads a line; or, for `stop`, raises SIGSTOP.
 */
#include "population.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *directory;
static const char *mode = "";

void population_stop(const char *stop)
{
    char path[4096];
    char line[16];
    snprintf(path, sizeof(path), "%s/%s.json", directory, stop);
    truth_write(path);
    truth_leave_out_reservations();
    snprintf(path, sizeof(path), "abort-%s", stop);
    if (strcmp(mode, path) == 0)
        abort();
    if (strcmp(mode, "stop") == 0)
        raise(SIGSTOP);
    if (strcmp(mode, "wait") == 0) {
        printf("%s\n", stop);
        fflush(stdout);
        truth_require(fgets(line, sizeof(line), stdin) != NULL, "nobody to wait for");
    }
    truth_stop(stop);
}

static truth_row_t *context_add(population_t *population)
{
    const runtime_t *runtime = &population->runtime;
    const cl_device_id *device = &runtime->device;
    cl_int status = CL_SUCCESS;
    cl_context context = TRUTH_CALL(clCreateContext(NULL, 1, device, NULL, NULL, &status));
    truth_require(status == CL_SUCCESS, "no context");
    truth_row_t *row = truth_row_add(truth_contexts, "", context);
    row->platform = runtime->platform;
    row->devices = 1;
    return row;
}

static truth_row_t *queue_add(population_t *population, cl_command_queue_properties properties)
{
    cl_context context = population->context;
    const runtime_t *runtime = &population->runtime;
    cl_command_queue queue = runtime_queue_create(runtime, context, properties);
    truth_row_t *row = truth_row_add(truth_queues, "", queue);
    row->context = context;
    row->device = runtime->device;
    row->flags = properties;
    return row;
}

static void contexts_create(population_t *population)
{
    population->context_row = context_add(population);
    population->context = (cl_context)population->context_row->handle;
    truth_row_t *second = context_add(population);
    population->released_context = (cl_context)second->handle;
    if (population->runtime.version >= 30)
        population_context_destructors_register(population->context_row, 0xb0000);
    clRetainContext(population->context);
    population->context_row->references++;
}

static void queues_create(population_t *population)
{
    cl_int status = CL_SUCCESS;
    truth_row_t *row = queue_add(population, 0);
    population->queue = (cl_command_queue)row->handle;
    clRetainCommandQueue(population->queue);
    row->references++;
    queue_add(population, CL_QUEUE_PROFILING_ENABLE);
    if (population->runtime.has_out_of_order)
        queue_add(population, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    population->blocked_queue_row = queue_add(population, 0);
    population->blocked_queue = (cl_command_queue)population->blocked_queue_row->handle;
    cl_context context = population->context;
    population->gate = TRUTH_CALL(clCreateUserEvent(context, &status));
    truth_require(status == CL_SUCCESS, "no user event");
    population_event_add(population, population->gate, "user", NULL);
}

/* All commands have finished: what they held may go now, or is going on another thread. */
static void commands_done(population_t *population)
{
    truth_row_t *row;
    for (size_t i = 0; (row = truth_row_get(i)) != NULL; i++)
        row->may_be_gone |= row->is_pending;
    population_svm_frees_done(population);
}

int main(int argc, char **argv)
{
    static population_t population;
    truth_require(argc >= 2, "usage: truth-program DIRECTORY [MODE]");
    directory = argv[1];
    if (argc > 2)
        mode = argv[2];
    runtime_find(&population.runtime);
    contexts_create(&population);
    queues_create(&population);
    population_buffers_create(&population);
    population_sub_buffers_create(&population);
    population_images_create(&population);
    population_pipes_create(&population);
    population_released_create(&population);
    population_programs_create(&population);
    population_svm_create(&population);
    population_threads_create(&population);
    truth_row_t *stopper = population_buffer_add(population.context, CL_MEM_READ_WRITE, 777, NULL);
    population_stopper_register(stopper);
    population_stop("main");

    TRUTH_RELEASE(stopper, clReleaseMemObject((cl_mem)stopper->handle));
    population.calls_later = !truth_destructors_await(stopper);
    population_threads_end();
    population_gate_open(&population);
    commands_done(&population);
    stopper->gone = !population.calls_later;
    stopper->may_be_gone = population.calls_later;
    population_stop("finished");
    population_release_all(&population);
    population_stop("released");
    fflush(stdout);
    /* The runtimes' own exit handlers are not part of the test. */
    _exit(0);
}
