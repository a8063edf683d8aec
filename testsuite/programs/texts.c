/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Builds a program with options of 700 bytes, and two of its kernels, whose names have 201 bytes
 * and differ in the last. The build of another program fails, and its log is queried. Writes its
 * truth, a line "WORD HANDLE TEXT" for each, the log with its newlines as '|', and the line "main".
 * Stops, and ends at the end of its input.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LENGTH 200
#define LOG_SIZE 65536

static char name[NAME_LENGTH + 2];
static char options[1024];
static char source[2048];
static char log_text[LOG_SIZE];

/* As OpenCV writes them. */
static void write_options(void)
{
    size_t length = (size_t)sprintf(options, "-cl-mad-enable");
    for (int i = 0; length < 680; i++)
        length += (size_t)sprintf(options + length, " -D LOCAL_SIZE_%d=%d -D dstT%d=float%d", i,
                                  16 << i % 4, i, 1 << i % 4);
}

static void write_source(void)
{
    memset(name, 'k', NAME_LENGTH);
    memcpy(name, "filter_", strlen("filter_"));
    sprintf(source,
            "kernel void %sa(global int *to) { to[0] = LOCAL_SIZE_0; }\n"
            "kernel void %sb(global int *to) { to[0] = LOCAL_SIZE_1; }\n",
            name, name);
}

static cl_program program_build(cl_context context, const char *text, const char *build_options,
                                cl_int *status)
{
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    *status = clBuildProgram(program, 0, NULL, build_options, NULL, NULL);
    return program;
}

static void kernel_tell(cl_program program, char last)
{
    cl_int error;
    name[NAME_LENGTH] = last;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    truth_require(error == CL_SUCCESS, "no kernel");
    printf("kernel %p %s\n", (void *)kernel, name);
}

/* A program with many errors. */
static void failure_tell(const runtime_t *runtime, cl_context context)
{
    cl_int status;
    size_t length = 0;
    size_t used = (size_t)sprintf(source, "kernel void f(global int *to) {\n");
    for (int i = 0; i < 8; i++)
        used += (size_t)sprintf(source + used, "    to[%d] = there_is_no_such_name_%d;\n", i, i);
    sprintf(source + used, "}\n");
    cl_program program = program_build(context, source, "", &status);
    truth_require(status != CL_SUCCESS, "built");
    truth_require(clGetProgramBuildInfo(program, runtime->device, CL_PROGRAM_BUILD_LOG, LOG_SIZE,
                                        log_text, &length) == CL_SUCCESS,
                  "no log");
    for (char *newline = strchr(log_text, '\n'); newline != NULL; newline = strchr(newline, '\n'))
        *newline = '|';
    printf("log %p %s\n", (void *)program, log_text);
}

int main(void)
{
    runtime_t runtime;
    cl_int status;
    runtime_find(&runtime);
    write_options();
    write_source();
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_program program = program_build(context, source, options, &status);
    truth_require(status == CL_SUCCESS, "no build");
    printf("options %p %s\n", (void *)program, options);
    kernel_tell(program, 'a');
    kernel_tell(program, 'b');
    failure_tell(&runtime, context);
    printf("main\n");
    fflush(stdout);
    truth_stop("main");
    while (getchar() != EOF)
        continue;
    return 0;
}
