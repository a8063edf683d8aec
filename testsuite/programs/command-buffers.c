/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes a command buffer, or semaphores: command-buffers MODE.
 *
 *     buffer      records a copy, a fill, a kernel and a barrier, releases what they use, and
 *                 enqueues the command buffer behind a user event that nobody sets
 *     released    the same, and releases the command buffer
 *     over        sets the event, finishes, and then releases the command buffer
 *     forgotten   drops the only handle of a command buffer
 *     semaphore   signals a semaphore and waits for it; signals a second one; exports a third one;
 *                 enqueues a wait for a fourth one, which nobody signals
 *     alternating signals a semaphore, waits for it, signals it again and waits again, all behind
 *                 a user event that nobody sets
 *     dropped     records a command buffer, releases its queue, and only then enqueues it
 *
 * It writes handles, with their bits turned, then `ready`, and waits for the end of its input.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE 4096
#define TURNED UINTPTR_MAX

#define EXTENSION_LIMIT 160

typedef struct _cl_command_buffer_khr *buffer_t;
typedef struct _cl_semaphore_khr *semaphore_t;

typedef buffer_t (*create_t)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
typedef cl_int (*of_buffer_t)(buffer_t);
typedef cl_int (*enqueue_t)(cl_uint, cl_command_queue *, buffer_t, cl_uint, const cl_event *,
                            cl_event *);
typedef cl_int (*kernel_t)(buffer_t, cl_command_queue, const cl_properties *, cl_kernel, cl_uint,
                           const size_t *, const size_t *, const size_t *, cl_uint, const cl_uint *,
                           cl_uint *, void **);
typedef cl_int (*copy_t)(buffer_t, cl_command_queue, const cl_properties *, cl_mem, cl_mem, size_t,
                         size_t, size_t, cl_uint, const cl_uint *, cl_uint *, void **);
typedef cl_int (*fill_t)(buffer_t, cl_command_queue, const cl_properties *, cl_mem, const void *,
                         size_t, size_t, size_t, cl_uint, const cl_uint *, cl_uint *, void **);
typedef cl_int (*barrier_t)(buffer_t, cl_command_queue, const cl_properties *, cl_uint,
                            const cl_uint *, cl_uint *, void **);
/* Before version 0.9.5 of the extension. */
typedef cl_int (*old_copy_t)(buffer_t, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                             cl_uint, const cl_uint *, cl_uint *, void **);
typedef cl_int (*old_fill_t)(buffer_t, cl_command_queue, cl_mem, const void *, size_t, size_t,
                             size_t, cl_uint, const cl_uint *, cl_uint *, void **);
typedef cl_int (*old_barrier_t)(buffer_t, cl_command_queue, cl_uint, const cl_uint *, cl_uint *,
                                void **);

typedef semaphore_t (*create_semaphore_t)(cl_context, const cl_properties *, cl_int *);
typedef cl_int (*use_semaphore_t)(cl_command_queue, cl_uint, const semaphore_t *, const cl_ulong *,
                                  cl_uint, const cl_event *, cl_event *);
typedef cl_int (*get_semaphore_handle_t)(semaphore_t, cl_device_id, cl_uint, size_t, void *,
                                         size_t *);

static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;
static cl_mem memory[2];
static cl_kernel kernel;
static buffer_t buffer;

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(runtime.platform, name);

    truth_require(found != NULL, name);
    return found;
}

static void write_handle(const char *name, const void *handle)
{
    printf("%s 0x%lx\n", name, (unsigned long)((uintptr_t)handle ^ TURNED));
}

/* Whether the functions that record commands have the parameter `properties`. */
static bool has_properties(void)
{
    cl_name_version extensions[EXTENSION_LIMIT];
    size_t size = 0;

    clGetDeviceInfo(runtime.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(extensions),
                    extensions, &size);
    for (size_t i = 0; i < size / sizeof(extensions[0]); i++) {
        if (strcmp(extensions[i].name, "cl_khr_command_buffer") == 0)
            return extensions[i].version >= CL_MAKE_VERSION(0, 9, 5);
    }
    return false;
}

static void record_kernel(const cl_uint *point)
{
    size_t global = 1;
    kernel_t run = (kernel_t)function("clCommandNDRangeKernelKHR");

    truth_require(run(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 1, point, NULL, NULL) ==
                      CL_SUCCESS,
                  "no kernel recorded");
}

static void record_commands(void)
{
    cl_int zero = 0;
    cl_uint points[2] = {0, 0};
    copy_t copy = (copy_t)function("clCommandCopyBufferKHR");
    fill_t fill = (fill_t)function("clCommandFillBufferKHR");
    barrier_t barrier = (barrier_t)function("clCommandBarrierWithWaitListKHR");

    truth_require(copy(buffer, NULL, NULL, memory[0], memory[1], 0, 0, SIZE, 0, NULL, &points[0],
                       NULL) == CL_SUCCESS &&
                      fill(buffer, NULL, NULL, memory[1], &zero, sizeof(zero), 0, SIZE, 1, points,
                           &points[1], NULL) == CL_SUCCESS,
                  "no commands recorded");
    record_kernel(&points[1]);
    truth_require(barrier(buffer, NULL, NULL, 2, points, NULL, NULL) == CL_SUCCESS, "no barrier");
}

static void record_old_commands(void)
{
    cl_int zero = 0;
    cl_uint points[2] = {0, 0};
    old_copy_t copy = (old_copy_t)function("clCommandCopyBufferKHR");
    old_fill_t fill = (old_fill_t)function("clCommandFillBufferKHR");
    old_barrier_t barrier = (old_barrier_t)function("clCommandBarrierWithWaitListKHR");

    truth_require(copy(buffer, NULL, memory[0], memory[1], 0, 0, SIZE, 0, NULL, &points[0], NULL) ==
                          CL_SUCCESS &&
                      fill(buffer, NULL, memory[1], &zero, sizeof(zero), 0, SIZE, 1, points,
                           &points[1], NULL) == CL_SUCCESS,
                  "no commands recorded");
    record_kernel(&points[1]);
    truth_require(barrier(buffer, NULL, 2, points, NULL, NULL) == CL_SUCCESS, "no barrier");
}

static void make_kernel(void)
{
    const char *source = "kernel void increment(global int *data) { data[0]++; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    kernel = clCreateKernel(program, "increment", NULL);
    clSetKernelArg(kernel, 0, sizeof(memory[0]), &memory[0]);
    clReleaseProgram(program);
}

static void make_buffer(void)
{
    for (size_t i = 0; i < 2; i++)
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    make_kernel();
    buffer = ((create_t)function("clCreateCommandBufferKHR"))(1, &queue, NULL, NULL);
    truth_require(buffer != NULL, "no command buffer");
    if (has_properties())
        record_commands();
    else
        record_old_commands();
    write_handle("buffer", buffer);
    write_handle("source", memory[0]);
    write_handle("destination", memory[1]);
    write_handle("kernel", kernel);
}

static void enqueue_buffer(const char *mode)
{
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_event event = NULL;
    bool is_dropped = strcmp(mode, "dropped") == 0;

    if (is_dropped)
        clReleaseCommandQueue(queue);
    truth_require(((of_buffer_t)function("clFinalizeCommandBufferKHR"))(buffer) == CL_SUCCESS &&
                      ((enqueue_t)function("clEnqueueCommandBufferKHR"))(0, NULL, buffer, 1, &gate,
                                                                         &event) == CL_SUCCESS,
                  "not enqueued");
    write_handle("gate", gate);
    clReleaseMemObject(memory[1]);
    clReleaseKernel(kernel);
    if (!is_dropped)
        clFlush(queue);
    if (strcmp(mode, "over") == 0) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clFinish(queue);
    }
    if (strcmp(mode, "buffer") != 0 && !is_dropped)
        ((of_buffer_t)function("clReleaseCommandBufferKHR"))(buffer);
}

static void signal_semaphore(const semaphore_t *semaphore)
{
    cl_event event = NULL;

    ((use_semaphore_t)function("clEnqueueSignalSemaphoresKHR"))(queue, 1, semaphore, NULL, 0, NULL,
                                                                &event);
    clFinish(queue);
    clReleaseEvent(event);
}

static void use_semaphores(void)
{
    const cl_properties properties[] = {
        0x203D /* CL_SEMAPHORE_TYPE_KHR */,           1, 0x203F /* exports */,
        0x2058 /* CL_SEMAPHORE_HANDLE_SYNC_FD_KHR */, 0, 0};
    const char *const names[] = {"waited", "signaled", "exported", "blocked"};
    use_semaphore_t wait = (use_semaphore_t)function("clEnqueueWaitSemaphoresKHR");
    semaphore_t semaphores[4];
    int descriptor;

    for (size_t i = 0; i < 4; i++) {
        semaphores[i] = ((create_semaphore_t)function("clCreateSemaphoreWithPropertiesKHR"))(
            context, properties, NULL);
        write_handle(names[i], semaphores[i]);
    }
    signal_semaphore(&semaphores[0]);
    wait(queue, 1, &semaphores[0], NULL, 0, NULL, NULL);
    clFinish(queue);
    signal_semaphore(&semaphores[1]);
    ((get_semaphore_handle_t)function("clGetSemaphoreHandleForTypeKHR"))(
        semaphores[2], runtime.device, 0x2058, sizeof(descriptor), &descriptor, NULL);
    wait(queue, 1, &semaphores[3], NULL, 0, NULL, NULL);
    clFlush(queue);
}

static void alternate(void)
{
    const cl_properties properties[] = {0x203D /* CL_SEMAPHORE_TYPE_KHR */, 1, 0};
    cl_event gate = clCreateUserEvent(context, NULL);
    use_semaphore_t signal = (use_semaphore_t)function("clEnqueueSignalSemaphoresKHR");
    use_semaphore_t wait = (use_semaphore_t)function("clEnqueueWaitSemaphoresKHR");
    semaphore_t semaphore = ((create_semaphore_t)function("clCreateSemaphoreWithPropertiesKHR"))(
        context, properties, NULL);

    write_handle("gate", gate);
    for (int i = 0; i < 2; i++) {
        signal(queue, 1, &semaphore, NULL, 1, &gate, NULL);
        wait(queue, 1, &semaphore, NULL, 0, NULL, NULL);
    }
    clFlush(queue);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    if (strcmp(mode, "semaphore") == 0) {
        use_semaphores();
    } else if (strcmp(mode, "alternating") == 0) {
        alternate();
    } else {
        make_buffer();
        if (strcmp(mode, "forgotten") == 0)
            buffer = NULL;
        else
            enqueue_buffer(mode);
    }
    printf("ready\n");
    fflush(stdout);
    return getchar() == EOF;
}
