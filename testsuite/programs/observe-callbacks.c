/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "observe.h"

#include <pthread.h>
#include <stdint.h>

#define MAX_CALLS 64
#define MEMORY_SIZE 256

/* Callbacks may come on any thread: they note what they see here, and it is printed later. */
typedef struct call_t {
    const char *name;
    const void *object;
    uintptr_t user_data;
    pthread_t thread;
} call_t;

static call_t calls[MAX_CALLS];
static int call_count;
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t calls_changed = PTHREAD_COND_INITIALIZER;
static cl_mem nested;
static void *freed_pointers[4];
static cl_uint freed_count;
static char system_memory[16];

static void note(const char *name, const void *object, void *user_data)
{
    pthread_mutex_lock(&calls_lock);
    if (call_count < MAX_CALLS)
        calls[call_count++] = (call_t){name, object, (uintptr_t)user_data, pthread_self()};
    pthread_cond_broadcast(&calls_changed);
    pthread_mutex_unlock(&calls_lock);
}

static void wait_for_calls(int count)
{
    pthread_mutex_lock(&calls_lock);
    while (call_count < count)
        pthread_cond_wait(&calls_changed, &calls_lock);
    pthread_mutex_unlock(&calls_lock);
}

static void print_calls(const char *what, const void *object)
{
    observe(what, call_count);
    for (int i = 0; i < call_count; i++) {
        observe(calls[i].name, (long long)calls[i].user_data);
        observe("  of the object", calls[i].object == object);
        observe("  on this thread", pthread_equal(calls[i].thread, pthread_self()) != 0);
    }
    call_count = 0;
}

static void first(cl_mem memory, void *user_data)
{
    note("first", memory, user_data);
}

static void second(cl_mem memory, void *user_data)
{
    note("second", memory, user_data);
}

static void releasing(cl_mem memory, void *user_data)
{
    note("releasing", memory, user_data);
    note("released", memory, (void *)(uintptr_t)clReleaseMemObject(nested));
}

static void context_destructor(cl_context context, void *user_data)
{
    note("context destructor", context, user_data);
}

static void svm_free(cl_command_queue queue, cl_uint count, void *pointers[], void *user_data)
{
    cl_context context = NULL;
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    freed_count = count;
    for (cl_uint i = 0; i < count && i < 4; i++) {
        freed_pointers[i] = pointers[i];
        if (pointers[i] != system_memory)
            clSVMFree(context, pointers[i]);
    }
    note("SVM free", queue, user_data);
}

static cl_mem buffer_create(observed_t *observed)
{
    return clCreateBuffer(observed->context, CL_MEM_READ_WRITE, MEMORY_SIZE, NULL, NULL);
}

static void note_end(cl_mem memory, void *user_data)
{
    bool *has_ended = user_data;
    (void)memory;
    pthread_mutex_lock(&calls_lock);
    *has_ended = true;
    pthread_cond_broadcast(&calls_changed);
    pthread_mutex_unlock(&calls_lock);
}

/* Wait for the callbacks of released objects, whose number is unknown: PoCL 6 leaks references on
 * contexts.  A runtime that calls them later does so in order. */
static void wait_for_earlier_calls(observed_t *observed)
{
    bool has_ended = false;
    cl_mem last = buffer_create(observed);
    clSetMemObjectDestructorCallback(last, note_end, &has_ended);
    clReleaseMemObject(last);
    pthread_mutex_lock(&calls_lock);
    while (!has_ended)
        pthread_cond_wait(&calls_changed, &calls_lock);
    pthread_mutex_unlock(&calls_lock);
}

static void observe_seven(observed_t *observed)
{
    cl_mem memory = buffer_create(observed);
    for (uintptr_t i = 0; i < 7; i++) {
        cl_int status = clSetMemObjectDestructorCallback(memory, i % 3 == 1 ? second : first,
                                                         (void *)(i == 5 ? 4 : i));
        observe("register", status);
        observe_reference_count("references", memory);
    }
    observe("register NULL", clSetMemObjectDestructorCallback(memory, NULL, NULL));
    observe("register on NULL", clSetMemObjectDestructorCallback(NULL, first, NULL));
    observe("release", clReleaseMemObject(memory));
    wait_for_calls(7);
    print_calls("calls after release of seven", memory);
}

static void observe_nested(observed_t *observed)
{
    nested = buffer_create(observed);
    clSetMemObjectDestructorCallback(nested, first, (void *)100);
    cl_mem memory = buffer_create(observed);
    clSetMemObjectDestructorCallback(memory, second, (void *)101);
    clSetMemObjectDestructorCallback(memory, releasing, (void *)102);
    observe("release", clReleaseMemObject(memory));
    wait_for_calls(4);
    print_calls("calls of a callback that releases", memory);
}

static void observe_sub_buffer(observed_t *observed)
{
    const cl_buffer_region region = {0, MEMORY_SIZE / 2};
    cl_mem parent = buffer_create(observed);
    clSetMemObjectDestructorCallback(parent, first, (void *)200);
    cl_mem child =
        clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    clSetMemObjectDestructorCallback(child, second, (void *)201);
    observe_reference_count("parent's references", parent);
    observe("release parent", clReleaseMemObject(parent));
    print_calls("calls before the child's release", parent);
    observe("release child", clReleaseMemObject(child));
    wait_for_calls(2);
    print_calls("calls after the child's release", parent);
}

static void observe_pending(observed_t *observed)
{
    static char host[MEMORY_SIZE];
    cl_event written = NULL;
    cl_event gate = clCreateUserEvent(observed->context, NULL);
    cl_mem memory = buffer_create(observed);
    clSetMemObjectDestructorCallback(memory, first, (void *)300);
    clSetMemObjectDestructorCallback(memory, second, (void *)301);
    observe("write", clEnqueueWriteBuffer(observed->queue, memory, CL_FALSE, 0, MEMORY_SIZE, host,
                                          1, &gate, &written));
    observe_reference_count("references with a pending write", memory);
    observe("release", clReleaseMemObject(memory));
    print_calls("calls while the write is pending", memory);
    observe("gate", clSetUserEventStatus(gate, CL_COMPLETE));
    observe("finish", clFinish(observed->queue));
    observe("wait", clWaitForEvents(1, &written));
    clReleaseEvent(written);
    clReleaseEvent(gate);
    wait_for_calls(2);
    observe("calls after the write", call_count);
    observe(calls[0].name, (long long)calls[0].user_data);
    observe(calls[1].name, (long long)calls[1].user_data);
    call_count = 0;
}

void observe_destructors(observed_t *observed)
{
    observe_seven(observed);
    observe_nested(observed);
    /* Oclgrind runs commands that wait for a user event in no thread but the one that finishes. */
    if (!observed->runtime.is_oclgrind) {
        observe_sub_buffer(observed);
        observe_pending(observed);
    }
}

void observe_context_destructors(observed_t *observed)
{
    cl_device_id device = observed->runtime.device;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    observe_context_references("a context's references", context);
    if (observed->runtime.version >= 30) {
        for (uintptr_t i = 400; i < 403; i++)
            observe("register on the context",
                    clSetContextDestructorCallback(context, context_destructor, (void *)i));
        observe("register NULL", clSetContextDestructorCallback(context, NULL, NULL));
    }
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, MEMORY_SIZE, NULL, NULL);
    observe_context_references("with a buffer", context);
    observe("retain", clRetainContext(context));
    observe_context_references("retained", context);
    observe("release", clReleaseContext(context));
    observe("release again", clReleaseContext(context));
    print_calls("calls while the buffer lives", context);
    observe("release the buffer", clReleaseMemObject(memory));
    wait_for_earlier_calls(observed);
    print_calls("calls after the buffer", context);
}

void observe_svm_frees(observed_t *observed)
{
    cl_context context = observed->context;
    cl_command_queue queue = observed->queue;
    cl_event freed = NULL;
    if (observed->runtime.svm == 0)
        return;
    observe("allocate 0 bytes", clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0) != NULL);
    observe("bad alignment", clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3) != NULL);
    clSVMFree(context, NULL);
    void *pointers[3] = {clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), system_memory,
                         clSVMAlloc(context, CL_MEM_READ_WRITE, 128, 0)};
    void *const given[3] = {pointers[0], pointers[1], pointers[2]};
    observe("no pointers", clEnqueueSVMFree(queue, 0, NULL, svm_free, NULL, 0, NULL, NULL));
    cl_event gate = clCreateUserEvent(context, NULL);
    observe("enqueue",
            clEnqueueSVMFree(queue, 3, pointers, svm_free, (void *)500, 1, &gate, &freed));
    pointers[0] = pointers[1] = pointers[2] = NULL;
    observe("calls before the gate", call_count);
    clSetUserEventStatus(gate, CL_COMPLETE);
    observe("wait", clWaitForEvents(1, &freed));
    wait_for_calls(1);
    observe("pointers freed", freed_count);
    for (int i = 0; i < 3; i++)
        observe("  as given", freed_pointers[i] == given[i]);
    observe(calls[0].name, (long long)calls[0].user_data);
    observe("  on the queue", calls[0].object == queue);
    call_count = 0;
    cl_command_type type = 0;
    clGetEventInfo(freed, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
    observe("command type", type);
    clReleaseEvent(freed);
    clReleaseEvent(gate);
    pointers[0] = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    observe("enqueue", clEnqueueSVMFree(queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    observe("finish", clFinish(queue));
}
