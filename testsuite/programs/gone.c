/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creates objects of every kind and releases them: gone [abort].
 *
 * Writes a line of JSON for each to the standard output, in the order of their ends: its kind, the
 * places that created and released it, and the threads. Then it calls truth_stop; with the word
 * `abort` it aborts there.
 */
#include "runtime.h"
#include "truth.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMAGE_SIZE (4u * 8 * 8)
#define BUFFER_SIZE ((size_t)4 << 20)
#define HOST_SIZE ((size_t)64 << 10)
#define PART_SIZE ((size_t)4096)
#define SVM_SIZE ((size_t)8192)

typedef struct gone_t {
    const char *kind;
    const char *memobj_kind; /* "" of others */
    const void *handle;
    size_t size; /* 0 if it has none */
    int made;    /* lines */
    int released;
    pid_t lwp; /* that released it */
} gone_t;

static char host[HOST_SIZE];
static runtime_t runtime;
static cl_context context;
static cl_command_queue queue;

#define AT(line, call) ((line) = __LINE__, (call))

static void tell(const gone_t *gone)
{
    printf("{\"kind\": \"%s\", \"memobj_kind\": \"%s\", \"handle\": \"%p\", \"size\": %zu, "
           "\"made\": %d, \"released\": %d, \"lwp\": %d, \"released_lwp\": %d}\n",
           gone->kind, gone->memobj_kind, gone->handle, gone->size, gone->made, gone->released,
           (int)getpid(), gone->lwp != 0 ? (int)gone->lwp : (int)getpid());
}

static void *release_elsewhere(void *argument)
{
    gone_t *gone = argument;
    gone->lwp = gettid();
    AT(gone->released, clReleaseMemObject((cl_mem)gone->handle));
    return NULL;
}

static void CL_CALLBACK done(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
}

static void buffers(void)
{
    gone_t used = {.kind = "memobj", .memobj_kind = "buffer", .size = HOST_SIZE};
    gone_t part = {.kind = "memobj", .memobj_kind = "sub-buffer", .size = PART_SIZE};
    gone_t elsewhere = {.kind = "memobj", .memobj_kind = "buffer", .size = BUFFER_SIZE};
    cl_buffer_region region = {0, PART_SIZE};
    pthread_t thread;
    cl_mem memory;

    memory = AT(used.made, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, HOST_SIZE, host, NULL));
    used.handle = memory;
    part.handle = AT(part.made, clCreateSubBuffer((cl_mem)used.handle, CL_MEM_READ_WRITE,
                                                  CL_BUFFER_CREATE_TYPE_REGION, &region, NULL));
    truth_require(used.handle && part.handle, "no buffers");
    clSetMemObjectDestructorCallback((cl_mem)part.handle, done, NULL);
    AT(part.released, clReleaseMemObject((cl_mem)part.handle));
    tell(&part);
    AT(used.released, clReleaseMemObject((cl_mem)used.handle));
    tell(&used);
    elsewhere.handle = AT(elsewhere.made, clCreateBuffer(context, 0, BUFFER_SIZE, NULL, NULL));
    clRetainMemObject((cl_mem)elsewhere.handle);
    clReleaseMemObject((cl_mem)elsewhere.handle);
    truth_require(pthread_create(&thread, NULL, release_elsewhere, &elsewhere) == 0, "no thread");
    truth_require(pthread_join(thread, NULL) == 0, "no end of a thread");
    tell(&elsewhere);
}

static void image(void)
{
    gone_t gone = {.kind = "memobj", .memobj_kind = "image2d", .size = IMAGE_SIZE};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};

    gone.handle = AT(gone.made, clCreateImage(context, 0, &format, &shape, NULL, NULL));
    truth_require(gone.handle != NULL, "no image");
    AT(gone.released, clReleaseMemObject((cl_mem)gone.handle));
    tell(&gone);
}

static void svm(void)
{
    gone_t gone = {.kind = "svm", .memobj_kind = "", .size = SVM_SIZE};
    void *pointer = AT(gone.made, clSVMAlloc(context, CL_MEM_READ_WRITE, SVM_SIZE, 0));

    truth_require(pointer != NULL, "no SVM");
    gone.handle = pointer;
    AT(gone.released, clSVMFree(context, pointer));
    tell(&gone);
    pointer = AT(gone.made, clSVMAlloc(context, CL_MEM_READ_WRITE, SVM_SIZE, 0));
    gone.handle = pointer;
    AT(gone.released, clEnqueueSVMFree(queue, 1, &pointer, NULL, NULL, 0, NULL, NULL));
    clFinish(queue);
    tell(&gone);
}

static void programs(void)
{
    static const char *source = "kernel void blur(global int *word) { word[0] = 1; }";
    gone_t program = {.kind = "program", .memobj_kind = ""};
    gone_t kernel = {.kind = "kernel", .memobj_kind = ""};
    gone_t sampler = {.kind = "sampler", .memobj_kind = ""};

    program.handle = AT(program.made, clCreateProgramWithSource(context, 1, &source, NULL, NULL));
    truth_require(clBuildProgram((cl_program)program.handle, 0, NULL, "", NULL, NULL) == CL_SUCCESS,
                  "no build");
    kernel.handle = AT(kernel.made, clCreateKernel((cl_program)program.handle, "blur", NULL));
    sampler.handle = AT(
        sampler.made, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, NULL));
    truth_require(kernel.handle && sampler.handle, "no kernel or sampler");
    AT(sampler.released, clReleaseSampler((cl_sampler)sampler.handle));
    tell(&sampler);
    AT(kernel.released, clReleaseKernel((cl_kernel)kernel.handle));
    tell(&kernel);
    AT(program.released, clReleaseProgram((cl_program)program.handle));
    tell(&program);
}

static void event(void)
{
    gone_t gone = {.kind = "event", .memobj_kind = ""};

    gone.handle = AT(gone.made, clCreateUserEvent(context, NULL));
    truth_require(gone.handle != NULL, "no event");
    clSetUserEventStatus((cl_event)gone.handle, CL_COMPLETE);
    AT(gone.released, clReleaseEvent((cl_event)gone.handle));
    tell(&gone);
}

/* Calls that every runtime refuses. */
static void errors(void)
{
    int lines[2];
    cl_int status = CL_SUCCESS;

    AT(lines[0], clCreateBuffer(context, 0, 0, NULL, &status));
    printf("{\"call\": \"clCreateBuffer\", \"error\": %d, \"line\": %d, \"lwp\": %d}\n", status,
           lines[0], (int)getpid());
    status = AT(lines[1], clWaitForEvents(0, NULL));
    printf("{\"call\": \"clWaitForEvents\", \"error\": %d, \"line\": %d, \"lwp\": %d}\n", status,
           lines[1], (int)getpid());
}

static void other_context(void)
{
    gone_t gone = {.kind = "context", .memobj_kind = ""};

    gone.handle = AT(gone.made, clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL));
    truth_require(gone.handle != NULL, "no context");
    AT(gone.released, clReleaseContext((cl_context)gone.handle));
    tell(&gone);
}

static void other_queue(void)
{
    gone_t gone = {.kind = "queue", .memobj_kind = ""};
    cl_command_queue other;

    other = AT(gone.made, clCreateCommandQueue(context, runtime.device, 0, NULL));
    truth_require(other != NULL, "no queue");
    gone.handle = other;
    AT(gone.released, clReleaseCommandQueue(other));
    tell(&gone);
}

int main(int argc, char **argv)
{
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    buffers();
    if (runtime.has_images)
        image();
    if (runtime.svm != 0)
        svm();
    programs();
    event();
    other_context();
    other_queue();
    errors();
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    truth_stop("gone");
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
