/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes one mistake in the use of OpenCL, or does the same correctly; mistake-scene.c describes its
 * arguments. */
#include "mistake.h"
#include "thread-truth.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_COUNT 64

static cl_mem buffer_over(const scene_t *scene, void *memory, size_t size)
{
    cl_mem buffer =
        clCreateBuffer(scene->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, memory, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* ---- Host memory ----------------------------------------------------------------------------- */

/* A later allocation prevents the chunk from becoming part of the heap's end. */
static void heap_case(const scene_t *scene, size_t size)
{
    told_t told = {.size = size};
    void *memory = malloc(size);
    void *behind = malloc(size);
    truth_require(memory != NULL && behind != NULL, "no memory");
    memset(memory, 0, size);
    memset(behind, 0, size);
    told.object = AT(told.line, buffer_over(scene, memory, size));
    told.address = (uintptr_t)memory;
    free(scene->is_wrong ? memory : behind);
    mistake_stop(scene, &told);
}

static void host_freed(const scene_t *scene)
{
    heap_case(scene, SIZE);
}

/* So small that malloc caches it for this thread. */
static void host_freed_small(const scene_t *scene)
{
    heap_case(scene, 256);
}

/* The neighbours are free as well: it was merged into a larger chunk. */
static void host_freed_between(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *memory[4];
    for (size_t i = 0; i < 4; i++)
        memory[i] = malloc(SIZE);
    told.object = AT(told.line, buffer_over(scene, memory[1], SIZE));
    told.address = (uintptr_t)memory[1];
    free(memory[0]);
    free(memory[2]);
    if (scene->is_wrong)
        free(memory[1]);
    mistake_stop(scene, &told);
}

static void *host_freed_in_thread(void *argument)
{
    host_freed(argument);
    return NULL;
}

/* Of the arena of another thread. */
static void host_freed_arena(const scene_t *scene)
{
    pthread_t thread;
    pthread_create(&thread, NULL, host_freed_in_thread, (void *)(uintptr_t)scene);
    pthread_join(thread, NULL);
}

static void host_unmapped(const scene_t *scene)
{
    told_t told = {.size = PAGE_COUNT * SIZE};
    void *memory =
        mmap(NULL, told.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    truth_require(memory != MAP_FAILED, "no memory");
    told.object = AT(told.line, buffer_over(scene, memory, told.size));
    told.address = (uintptr_t)memory;
    if (scene->is_wrong)
        munmap(memory, told.size);
    mistake_stop(scene, &told);
}

__attribute__((noinline)) static void use_local(const scene_t *scene, told_t *told, bool stops)
{
    char local[SIZE];
    memset(local, 0, sizeof(local));
    told->object = AT(told->line, buffer_over(scene, local, sizeof(local)));
    told->address = (uintptr_t)local;
    if (!stops)
        return;
    mistake_stop(scene, told);
    clReleaseMemObject((cl_mem)(uintptr_t)told->object);
}

static void host_on_stack(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    use_local(scene, &told, !scene->is_wrong);
    if (scene->is_wrong)
        mistake_stop(scene, &told);
}

static void fill(const scene_t *scene, cl_mem memory)
{
    cl_int status =
        clEnqueueFillBuffer(scene->queue, memory, "", 1, 0, SIZE, 1, &scene->gate, NULL);
    truth_require(status == CL_SUCCESS, "no command");
}

/* Two buffers over the same memory may be used one after the other. */
static void host_shared(const scene_t *scene)
{
    char *memory = malloc(2 * SIZE);
    truth_require(memory != NULL, "no memory");
    fill(scene, buffer_over(scene, memory, SIZE));
    fill(scene, buffer_over(scene, memory + SIZE / 2, SIZE));
    mistake_stop(scene, &(told_t){.size = SIZE});
}

/* ---- Sub-buffers ----------------------------------------------------------------------------- */

static cl_mem part_of(cl_mem buffer, size_t origin, cl_mem_flags flags)
{
    const cl_buffer_region region = {origin, SIZE};
    cl_mem part = clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    truth_require(part != NULL, "no sub-buffer");
    return part;
}

/* So may those that overlap. */
static void sub_buffers(const scene_t *scene)
{
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, 4 * SIZE, NULL, NULL);
    fill(scene, part_of(buffer, 0, CL_MEM_READ_WRITE));
    fill(scene, part_of(buffer, SIZE / 2, 0));
    part_of(buffer, 2 * SIZE, CL_MEM_READ_ONLY);
    part_of(buffer, 2 * SIZE + SIZE / 2, CL_MEM_READ_ONLY);
    mistake_stop(scene, &(told_t){.size = SIZE});
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

static void destroyed(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void callback_code(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*function)(cl_mem, void *) = destroyed;
    truth_require(code != MAP_FAILED && munmap(code, SIZE) == 0, "no memory");
    if (scene->is_wrong)
        memcpy(&function, &code, sizeof(function));
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    AT(told.line, clSetMemObjectDestructorCallback(buffer, function, NULL));
    told.object = buffer;
    told.address = (uintptr_t)code;
    mistake_stop(scene, &told);
}

/* The same as a program has it: the callback is of a library that is unloaded. */
static void callback_unloaded(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void (*function)(cl_mem, void *);
    void *library = dlopen(FILTER_LIBRARY, RTLD_NOW);
    truth_require(library != NULL, "no library");
    told.address = (uintptr_t)dlsym(library, "filter_destroyed");
    memcpy(&function, &told.address, sizeof(function));
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    AT(told.line, clSetMemObjectDestructorCallback(buffer, function, NULL));
    if (scene->is_wrong)
        dlclose(library);
    told.object = buffer;
    mistake_stop(scene, &told);
}

static const scene_t *scene_of_callback;
static thread_truth_t *thread_in_callback;
static int lwp_in_callback; /* 0: none */

/* Waits for a queue whose command waits for the gate. */
static void wait_in_callback(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
    thread_truth_call("waits-for-queue", "clFinish", scene_of_callback->queue);
    lwp_in_callback = (int)gettid();
    __atomic_store_n(&thread_in_callback, thread_truth_self(), __ATOMIC_RELEASE);
    clFinish(scene_of_callback->queue);
    __atomic_store_n(&thread_in_callback, NULL, __ATOMIC_RELEASE);
}

/* Wait until a thread waits in its callback, if it should. */
static void await_callback(const scene_t *scene)
{
    while (scene->is_wrong && __atomic_load_n(&thread_in_callback, __ATOMIC_ACQUIRE) == NULL)
        sched_yield();
    if (scene->is_wrong)
        thread_truth_wait_all();
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    (void)user_data;
}

static void event_callback_code(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void(CL_CALLBACK * function)(cl_event, cl_int, void *) = called;
    void *code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    truth_require(code != MAP_FAILED && munmap(code, SIZE) == 0, "no memory");
    if (scene->is_wrong)
        memcpy(&function, &code, sizeof(function));
    AT(told.line, clSetEventCallback(scene->gate, CL_COMPLETE, function, NULL));
    told.object = scene->gate;
    told.address = (uintptr_t)code;
    mistake_stop(scene, &told);
}

static void CL_CALLBACK wait_in_event_callback(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    wait_in_callback(NULL, user_data);
    /* So that this function is on the stack of the thread as well. */
    __atomic_store_n(&thread_in_callback, NULL, __ATOMIC_RELEASE);
}

static void *set_event(void *event)
{
    clSetUserEventStatus(event, CL_COMPLETE);
    return NULL;
}

static void event_callback_waits(const scene_t *scene)
{
    told_t told = {.other = scene->queue};
    cl_event event = clCreateUserEvent(scene->context, NULL);
    pthread_t thread;
    clEnqueueMarkerWithWaitList(scene->queue, 1, &scene->gate, NULL);
    scene_of_callback = scene;
    AT(told.line, clSetEventCallback(event, CL_COMPLETE,
                                     scene->is_wrong ? wait_in_event_callback : called, NULL));
    told.object = event;
    pthread_create(&thread, NULL, set_event, event);
    if (!scene->is_wrong)
        pthread_join(thread, NULL);
    await_callback(scene);
    told.lwp = lwp_in_callback;
    mistake_stop(scene, &told);
}

static void *release(void *buffer)
{
    clReleaseMemObject(buffer);
    return NULL;
}

static void callback_waits(const scene_t *scene)
{
    told_t told = {.other = scene->queue};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    pthread_t thread;
    clEnqueueMarkerWithWaitList(scene->queue, 1, &scene->gate, NULL);
    scene_of_callback = scene;
    AT(told.line, clSetMemObjectDestructorCallback(
                      buffer, scene->is_wrong ? wait_in_callback : destroyed, NULL));
    told.object = buffer;
    pthread_create(&thread, NULL, release, buffer);
    if (!scene->is_wrong)
        pthread_join(thread, NULL);
    await_callback(scene);
    told.lwp = lwp_in_callback;
    mistake_stop(scene, &told);
}

/* ---- References ------------------------------------------------------------------------------ */

/* The sub-buffer holds its buffer, so that it still exists when it is released once more. */
static void over_release(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, 4 * SIZE, NULL, NULL);
    part_of(buffer, 0, 0);
    part_of(buffer, SIZE, 0);
    AT(told.other_line, clReleaseMemObject(buffer));
    if (scene->is_wrong)
        AT(told.line, clReleaseMemObject(buffer));
    told.object = buffer;
    mistake_stop(scene, &told);
}

/* The same mistake at the same place is reported once. */
static void over_release_often(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    for (size_t i = 0; i < 3; i++) {
        cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
        part_of(buffer, 0, 0);
        AT(told.other_line, clReleaseMemObject(buffer));
        if (scene->is_wrong)
            AT(told.line, clReleaseMemObject(buffer));
        if (i == 0)
            told.object = buffer;
    }
    mistake_stop(scene, &told);
}

/* It is destroyed when it is released once more, which may crash the program. */
static void over_release_destroyed(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    AT(told.other_line, clReleaseMemObject(buffer));
    told.object = buffer;
    told.line = __LINE__ + 3;
    mistake_tell(scene, &told);
    if (scene->is_wrong)
        clReleaseMemObject(buffer);
    mistake_halt(scene);
}

/* A variable that was never set is released, which crashes the program. */
static void wrong_handle(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    if (scene->is_wrong)
        memset(&buffer, 0x5a, sizeof(buffer));
    told.object = buffer;
    mistake_tell(scene, &told);
    clReleaseMemObject(buffer);
    mistake_halt(scene);
}

/* The command of the event is pending, so that the event exists. */
static void over_release_event(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event;
    clEnqueueMarkerWithWaitList(scene->queue, 1, &scene->gate, &event);
    AT(told.other_line, clReleaseEvent(event));
    if (scene->is_wrong)
        AT(told.line, clReleaseEvent(event));
    told.object = event;
    mistake_stop(scene, &told);
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* It uses undeclared functions; the log shows that the program requests them. */
static void build_error(const scene_t *scene)
{
    static const char wrong[] = "kernel void blur(global int *word) { word[0] = radius; }";
    static const char right[] = "kernel void blur(global int *word) { word[0] = 1; }";
    const char *text = scene->is_wrong ? wrong : right;
    char log[1024];
    told_t told = {.size = SIZE};
    cl_program program;
    AT(told.other_line, program = clCreateProgramWithSource(scene->context, 1, &text, NULL, NULL));
    AT(told.line, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    /* It is refused, and the program stays as it is. */
    if (!scene->is_wrong)
        clBuildProgram(program, 0, &scene->runtime.device, "-DOTHER", NULL, NULL);
    clGetProgramBuildInfo(program, scene->runtime.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                          NULL);
    clCreateKernel(program, "blur", NULL);
    told.object = program;
    mistake_stop(scene, &told);
}

/* ---- SVM ------------------------------------------------------------------------------------- */

static void *svm_of(const scene_t *scene)
{
    void *memory = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, SIZE, 0);
    truth_require(memory != NULL, "no SVM");
    return memory;
}

static void svm_freed_twice(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *first = svm_of(scene);
    void *second = svm_of(scene);
    void *again = scene->is_wrong ? first : second;
    AT(told.other_line,
       clEnqueueSVMFree(scene->queue, 1, &first, NULL, NULL, 1, &scene->gate, NULL));
    AT(told.line, clEnqueueSVMFree(scene->queue, 1, &again, NULL, NULL, 1, &scene->gate, NULL));
    told.address = (uintptr_t)first;
    mistake_stop(scene, &told);
}

static void svm_used(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = svm_of(scene);
    void *free_one = svm_of(scene);
    cl_mem buffer = buffer_over(scene, memory, SIZE);
    cl_mem released = buffer_over(scene, free_one, SIZE);
    AT(told.other_line, clEnqueueSVMFree(scene->queue, 1, scene->is_wrong ? &memory : &free_one,
                                         NULL, NULL, 1, &scene->gate, NULL));
    AT(told.line, clEnqueueFillBuffer(scene->queue, buffer, "", 1, 0, SIZE, 0, NULL, NULL));
    told.object = buffer;
    told.other = memory;
    mistake_stop(scene, &told);
    /* It is released before the command that frees its memory can run. */
    clReleaseMemObject(released);
}

static void free_none(cl_command_queue queue, cl_uint count, void *pointers[], void *user_data)
{
    (void)queue;
    (void)count;
    (void)pointers;
    (void)user_data;
}

/* The function that should free the allocation leaves that to another command. */
static void svm_kept(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *twice[] = {svm_of(scene), NULL};
    twice[1] = twice[0];
    clEnqueueSVMFree(scene->queue, 2, twice, free_none, NULL, 1, &scene->gate, NULL);
    clEnqueueSVMFree(scene->queue, 1, twice, NULL, NULL, 1, &scene->gate, NULL);
    mistake_stop(scene, &told);
}

static void svm_freed_mapped(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = svm_of(scene);
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    AT(told.other_line, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, SIZE, 0, NULL, NULL));
    if (!scene->is_wrong)
        clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL);
    clFinish(queue);
    AT(told.line, clSVMFree(scene->context, memory));
    told.object = memory;
    mistake_stop(scene, &told);
}

/* A kernel with the allocation as argument is pending. */
static void svm_used_by_kernel(const scene_t *scene)
{
    static const char source[] = "kernel void blur(global int *word) { word[0] = 1; }";
    const char *text = source;
    const size_t one = 1;
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = svm_of(scene);
    void *free_one = svm_of(scene);
    cl_program program = clCreateProgramWithSource(scene->context, 1, &text, NULL, NULL);
    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "blur", NULL);
    truth_require(clSetKernelArgSVMPointer(kernel, 0, memory) == CL_SUCCESS, "no argument");
    AT(told.other_line,
       clEnqueueNDRangeKernel(scene->queue, kernel, 1, NULL, &one, NULL, 1, &scene->gate, NULL));
    AT(told.line, clSVMFree(scene->context, scene->is_wrong ? memory : free_one));
    told.object = kernel;
    told.other = scene->queue;
    told.address = (uintptr_t)memory;
    mistake_stop(scene, &told);
}

static const mistake_t mistakes[] = {
    {"host-freed", host_freed},
    {"host-freed-small", host_freed_small},
    {"host-freed-between", host_freed_between},
    {"host-freed-arena", host_freed_arena},
    {"host-unmapped", host_unmapped},
    {"host-on-stack", host_on_stack},
    {"host-shared", host_shared},
    {"sub-buffers", sub_buffers},
    {"callback-code", callback_code},
    {"callback-unloaded", callback_unloaded},
    {"callback-waits", callback_waits},
    {"event-callback-code", event_callback_code},
    {"event-callback-waits", event_callback_waits},
    {"over-release", over_release},
    {"over-release-often", over_release_often},
    {"over-release-destroyed", over_release_destroyed},
    {"wrong-handle", wrong_handle},
    {"over-release-event", over_release_event},
    {"build-error", build_error},
    {"svm-freed-twice", svm_freed_twice},
    {"svm-used", svm_used},
    {"svm-kept", svm_kept},
    {"svm-used-by-kernel", svm_used_by_kernel},
    {"svm-freed-mapped", svm_freed_mapped},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    const mistake_t *const groups[] = {
        mistakes, mistakes_freed, mistakes_unseen, mistakes_user_data, mistakes_reported, NULL,
    };
    return mistake_main(argc, argv, groups);
}
