/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Enqueues a kernel twice with different arguments, after an event that is never set. Writes the
 * arguments of the first command, of the second, and of the kernel after that. The format is a line
 * "OWNER NUMBER FORM KIND SIZE OBJECT VALUE" each, with "-" for absent values. Then it writes the
 * line "main". Ends at the end of its input.
 *
 * With the words `gone` and NUMBER it releases the buffer of argument NUMBER, 1 or the last, before
 * it enqueues the kernel. It crashes in the runtime, or aborts when all commands are complete and
 * everything is released.
 */
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than a record of the recorder has room for, and than one more block has. */
#define COUNT 130
#define FIRST_NUMBER 7
#define LAST (COUNT - 1)
#define LOCAL_SIZE 96

static char source[8192];

/* The function of arguments of each form, then of many numbers, then a buffer. */
static void write_source(void)
{
    size_t length =
        (size_t)sprintf(source, "kernel void blur(global int *from, global int *to, uint few, "
                                "ulong many, uchar tiny, float4 wide, local int *scratch");
    for (int i = FIRST_NUMBER; i < LAST; i++)
        length += (size_t)sprintf(source + length, ", uint number%d", i);
    sprintf(source + length,
            ", global int *last) { to[0] = from[0] + few + (int)many + tiny + (int)wide.x"
            " + number%d; scratch[0] = 0; last[0] = 0; }",
            LAST - 1);
}

/* What an argument is. */
static struct argument {
    const char *form;
    const char *kind;
    size_t size;
    const void *object;
    int64_t value; /* -1: it is not a number */
} arguments[COUNT];

static void set(cl_kernel kernel, cl_uint index, const struct argument *argument, const void *value)
{
    truth_require(clSetKernelArg(kernel, index, argument->size, value) == CL_SUCCESS,
                  "no argument");
    arguments[index] = *argument;
}

static void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
    set(kernel, index,
        &(struct argument){"object", "memobj", sizeof(buffer), .object = buffer, .value = -1},
        &buffer);
}

static void tell(const char *owner)
{
    for (int i = 0; i < COUNT; i++) {
        printf("%s %d %s %s %zu", owner, i, arguments[i].form, arguments[i].kind,
               arguments[i].size);
        if (arguments[i].object != NULL)
            printf(" 0x%" PRIxPTR, (uintptr_t)arguments[i].object);
        else
            printf(" -");
        if (arguments[i].value >= 0)
            printf(" %" PRId64 "\n", arguments[i].value);
        else
            printf(" -\n");
    }
}

static void enqueue(cl_command_queue queue, cl_kernel kernel, const cl_event *gate)
{
    const size_t one = 1;
    truth_require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, gate, NULL) ==
                      CL_SUCCESS,
                  "not enqueued");
}

static void release(cl_mem buffer)
{
    clReleaseMemObject(buffer);
}

static void use_what_is_gone(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_event gate)
{
    printf("%p %p\n", (void *)kernel, (void *)buffer);
    fflush(stdout);
    release(buffer);
    enqueue(queue, kernel, &gate);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clFinish(queue);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    abort();
}

static void set_numbers(cl_kernel kernel)
{
    for (cl_uint i = FIRST_NUMBER; i < LAST; i++) {
        cl_uint number = 1000 + i;
        set(kernel, i, &(struct argument){"data", "-", sizeof(number), .value = number}, &number);
    }
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    const char *text = source;
    const cl_uint few = 77;
    const cl_uchar tiny = 200;
    const cl_float wide[4] = {1, 2, 3, 4};
    cl_ulong many = UINT64_C(1) << 40;
    runtime_find(&runtime);
    write_source();
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&runtime, context, 0);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "blur", NULL);
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, NULL);
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4096, NULL, NULL);
    cl_mem last = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4096, NULL, NULL);
    cl_event gate = clCreateUserEvent(context, NULL);
    set_buffer(kernel, 0, from);
    set_buffer(kernel, 1, to);
    set(kernel, 2, &(struct argument){"data", "-", sizeof(few), .value = few}, &few);
    set(kernel, 3, &(struct argument){"data", "-", sizeof(many), .value = (int64_t)many}, &many);
    set(kernel, 4, &(struct argument){"data", "-", sizeof(tiny), .value = tiny}, &tiny);
    set(kernel, 5, &(struct argument){"data", "-", sizeof(wide), .value = -1}, wide);
    set(kernel, 6, &(struct argument){"local", "-", LOCAL_SIZE, .value = -1}, NULL);
    set_numbers(kernel);
    set_buffer(kernel, LAST, last);
    if (argc > 2 && strcmp(argv[1], "gone") == 0)
        use_what_is_gone(queue, kernel, atoi(argv[2]) == LAST ? last : to, gate);
    enqueue(queue, kernel, &gate);
    tell("1");
    set_buffer(kernel, 0, to);
    set_buffer(kernel, 1, from);
    set_buffer(kernel, LAST, to);
    enqueue(queue, kernel, &gate);
    tell("2");
    many = 5;
    set(kernel, 3, &(struct argument){"data", "-", sizeof(many), .value = (int64_t)many}, &many);
    tell("kernel");
    printf("main\n");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    return 0;
}
