/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes what only the test suite's own vendor library can make, and stops:
 *   main         everything is there
 *   held         a released buffer's callbacks have not begun
 *   late         the second of them runs, on another thread
 *   svm-free     the callback of an SVM free runs, on another thread
 *   context      the second destructor callback of the OpenCL context runs
 * Before each stop it writes DIRECTORY/<stop>.json: icd-program DIRECTORY
 */
#include "icd-program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *directory;
static icd_program_t program;
static truth_row_t *late_row; /* the tests name it */
static truth_row_t *svm_freed;
static truth_row_t *svm_free_row;

void icd_program_stop(const char *stop)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.json", directory, stop);
    truth_write(path);
    truth_stop(stop);
}

static void destructor(cl_mem memory, void *user_data)
{
    const void *self = (const void *)destructor;
    truth_destructor_end(truth_destructor_begin(truth_memobjs, memory, self, user_data));
}

static void destructor_stopping(cl_mem memory, void *user_data)
{
    const void *self = (const void *)destructor_stopping;
    truth_destructor_t *running;
    running = truth_destructor_begin(truth_memobjs, memory, self, user_data);
    icd_program_stop("late");
    truth_destructor_end(running);
}

static void context_destructor(cl_context context, void *user_data)
{
    const void *self = (const void *)context_destructor;
    truth_destructor_t *running;
    running = truth_destructor_begin(truth_contexts, context, self, user_data);
    if (user_data == (void *)0xb1)
        icd_program_stop("context");
    truth_destructor_end(running);
}

static void svm_free_function(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    (void)queue;
    (void)data;
    svm_free_row->state = "running";
    svm_free_row->running_lwp = gettid();
    icd_program_stop("svm-free");
    svm_freed->gone = true;
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(program.context, pointers[i]);
}

void icd_destructors_register(truth_row_t *row, const char *stop)
{
    cl_mem memory = (cl_mem)row->handle;
    TRUTH_CALL(clSetMemObjectDestructorCallback(memory, destructor, (void *)0xa0));
    truth_destructor_add(row, "destructor", (const void *)destructor, (void *)0xa0);
    if (stop == NULL)
        return;
    TRUTH_CALL(clSetMemObjectDestructorCallback(memory, destructor_stopping, (void *)0xa1));
    truth_destructor_add(row, "destructor_stopping", (const void *)destructor_stopping,
                         (void *)0xa1);
    TRUTH_CALL(clSetMemObjectDestructorCallback(memory, destructor, (void *)0xa2));
    truth_destructor_add(row, "destructor", (const void *)destructor, (void *)0xa2);
}

void icd_svm_free_enqueue(icd_program_t *made, cl_event gate)
{
    cl_context context = made->context;
    cl_event event = NULL;
    void *pointers[1] = {TRUTH_CALL(clSVMAlloc(context, CL_MEM_READ_ONLY, 3000, 8))};
    svm_freed = truth_row_add(truth_svm, "svm", pointers[0]);
    svm_freed->context = context;
    svm_freed->flags = CL_MEM_READ_ONLY;
    svm_freed->size = 3000;
    svm_freed->alignment = 8;
    svm_freed->state = "free-enqueued";
    cl_command_queue queue = made->queue;
    void *data = (void *)0xd0;
    TRUTH_CALL(clEnqueueSVMFree(queue, 1, pointers, svm_free_function, data, 1, &gate, &event));
    svm_free_row = truth_row_add(truth_svm_frees, "", NULL);
    svm_free_row->state = "enqueued";
    svm_free_row->context = context;
    svm_free_row->queue = queue;
    svm_free_row->event = event;
    svm_free_row->function = (const void *)svm_free_function;
    svm_free_row->symbol = "svm_free_function";
    svm_free_row->user_data = data;
    svm_free_row->pointer_count = 1;
    svm_free_row->pointers[0] = pointers[0];
    svm_free_row->from_svm_alloc[0] = true;
    svm_free_row->wait_count = 1;
    svm_free_row->waits[0] = gate;
    made->queue_row->svm_frees++;
    truth_counts.events++;
}

static void context_create(void)
{
    const cl_device_id *device = &program.device;
    program.context = TRUTH_CALL(clCreateContext(NULL, 1, device, NULL, NULL, NULL));
    program.context_row = truth_row_add(truth_contexts, "", program.context);
    program.context_row->platform = program.platform;
    program.context_row->devices = 1;
    cl_context context = program.context;
    program.queue = TRUTH_CALL(clCreateCommandQueueWithProperties(context, *device, NULL, NULL));
    program.queue_row = truth_row_add(truth_queues, "", program.queue);
    program.queue_row->context = program.context;
    program.queue_row->device = program.device;
}

/* A context of its own whose destructor callbacks run while everything else lives. */
static void context_end(void)
{
    const cl_device_id *device = &program.device;
    cl_context context = TRUTH_CALL(clCreateContext(NULL, 1, device, NULL, NULL, NULL));
    truth_row_t *row = truth_row_add(truth_contexts, "", context);
    row->platform = program.platform;
    row->devices = 1;
    for (size_t i = 0; i < 3; i++) {
        void *data = (void *)(0xb0 + i);
        cl_int status;
        status = TRUTH_CALL(clSetContextDestructorCallback(context, context_destructor, data));
        truth_require(status == CL_SUCCESS, "no context destructor callback");
        truth_destructor_add(row, "context_destructor", (const void *)context_destructor, data);
    }
    row->references = 0;
    row->state = "app-released";
    clReleaseContext(context);
    row->gone = true;
}

static void hold(int on)
{
    icd_switch_t icd_hold_switch;
    *(void **)&icd_hold_switch =
        clGetExtensionFunctionAddressForPlatform(program.platform, ICD_HOLD_NAME);
    icd_hold_switch(on);
}

int main(int argc, char **argv)
{
    truth_require(argc == 2, "usage: icd-program DIRECTORY");
    directory = argv[1];
    clGetPlatformIDs(1, &program.platform, NULL);
    truth_require(program.platform != NULL, "no platform");
    clGetDeviceIDs(program.platform, CL_DEVICE_TYPE_ALL, 1, &program.device, NULL);
    context_create();
    icd_core_create(&program);
    icd_failures_create(&program);
    icd_extensions_create(&program);
    cl_event gate = clCreateUserEvent(program.context, NULL);
    truth_counts.events++;
    icd_svm_free_enqueue(&program, gate);
    cl_mem late = TRUTH_CALL(clCreateBuffer(program.context, 0, 70, NULL, NULL));
    late_row = icd_memobj_add(&program, "buffer", late, 0, 70);
    icd_destructors_register(late_row, "late");
    icd_program_stop("main");
    hold(1);
    TRUTH_RELEASE(late_row, clReleaseMemObject(late));
    icd_program_stop("held");
    hold(0);
    late_row->gone = true;
    clSetUserEventStatus(gate, CL_COMPLETE);
    program.queue_row->svm_frees--;
    svm_free_row->gone = true;
    context_end();
    _exit(0);
}
