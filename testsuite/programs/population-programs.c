/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <string.h>

static truth_row_t *program_add(population_t *population, const char *source)
{
    cl_context context = population->context;
    cl_int status = CL_SUCCESS;
    cl_program program = TRUTH_CALL(clCreateProgramWithSource(context, 1, &source, NULL, &status));
    truth_require(status == CL_SUCCESS, "no program");
    truth_row_t *row = truth_row_add(truth_programs, "", program);
    row->context = context;
    row->children = 0;
    return row;
}

static cl_int program_build(population_t *population, truth_row_t *row, const char *options)
{
    const cl_device_id *device = &population->runtime.device;
    cl_int status = clBuildProgram((cl_program)row->handle, 1, device, options, NULL, NULL);
    row->build = status == CL_SUCCESS ? "done" : "failed";
    row->build_error = status;
    row->build_lwp = row->place.lwp;
    row->options = options != NULL ? options : "";
    return status;
}

static void kernel_add(truth_row_t *program_row, cl_kernel kernel, const char *name)
{
    truth_require(kernel != NULL, "no kernel");
    truth_row_t *row = truth_row_add(truth_kernels, "", kernel);
    row->name = name;
    row->context = program_row->context;
    row->parent = program_row->handle;
    program_row->children++;
}

static const char with_arguments[] = "kernel void nothing(int count, local int *scratch) {}";

static void arguments_set(cl_kernel kernel)
{
    const cl_int count = 77;
    truth_require(clSetKernelArg(kernel, 0, sizeof(count), &count) == CL_SUCCESS &&
                      clSetKernelArg(kernel, 1, 64, NULL) == CL_SUCCESS,
                  "no arguments");
}

static void kernels_create(truth_row_t *row)
{
    cl_program program = (cl_program)row->handle;
    cl_kernel kernels[2];
    cl_kernel kernel = TRUTH_CALL(clCreateKernel(program, "nothing", NULL));
    kernel_add(row, kernel, "nothing");
    arguments_set(kernel);
    cl_int status = TRUTH_CALL(clCreateKernelsInProgram(program, 1, kernels, NULL));
    truth_require(status == CL_SUCCESS, "no kernels");
    kernel_add(row, kernels[0], "nothing");
    clRetainKernel(kernels[0]);
    truth_row_find(truth_kernels, kernels[0])->references++;
}

static void sampler_add(population_t *population, cl_bool is_normalized, cl_addressing_mode mode,
                        const char *addressing, const char *filter)
{
    cl_context context = population->context;
    bool is_linear = strcmp(filter, "CL_FILTER_LINEAR") == 0;
    cl_filter_mode of = is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
    cl_bool n = is_normalized;
    cl_int status = CL_SUCCESS;
    cl_sampler sampler = TRUTH_CALL(clCreateSampler(context, n, mode, of, &status));
    if (status != CL_SUCCESS)
        return; /* a device without images */
    truth_row_t *row = truth_row_add(truth_samplers, "", sampler);
    row->context = context;
    row->is_normalized = is_normalized;
    row->addressing = addressing;
    row->filter = filter;
}

void population_programs_create(population_t *population)
{
    truth_row_t *row = program_add(population, with_arguments);
    if (program_build(population, row, "-DEDGE=3") == CL_SUCCESS)
        kernels_create(row);
    row = program_add(population, "#error this is no C\n");
    if (program_build(population, row, NULL) != CL_SUCCESS) {
        char log[4096];
        cl_int status = clGetProgramBuildInfo((cl_program)row->handle, population->runtime.device,
                                              CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        row->has_log = status == CL_SUCCESS && strstr(log, "error") != NULL;
    }
    row = program_add(population, "kernel void nothing(void) {}");
    clRetainProgram((cl_program)row->handle);
    row->references++;
    sampler_add(population, CL_FALSE, CL_ADDRESS_CLAMP, "CL_ADDRESS_CLAMP", "CL_FILTER_NEAREST");
    sampler_add(population, CL_TRUE, CL_ADDRESS_REPEAT, "CL_ADDRESS_REPEAT", "CL_FILTER_LINEAR");
}

truth_row_t *population_event_add(population_t *population, cl_event event, const char *type,
                                  cl_command_queue queue)
{
    truth_row_t *row = truth_row_add(truth_events, type, event);
    row->context = population->context;
    row->queue = queue;
    row->execution = queue != NULL ? "enqueued" : "unset";
    return row;
}

void population_gate_open(population_t *population)
{
    truth_row_t *gate = truth_row_find(truth_events, population->gate);
    gate->set_by = gate->place.lwp;
    clSetUserEventStatus(population->gate, CL_COMPLETE);
    clFinish(population->blocked_queue);
    truth_row_t *row;
    for (size_t i = 0; (row = truth_row_get(i)) != NULL; i++)
        if (row->table == truth_events) {
            row->execution = "complete";
        } else if (row->table == truth_commands) {
            row->state = "ended";
            row->is_flushed = true;
        }
}
