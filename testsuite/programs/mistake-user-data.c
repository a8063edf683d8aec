/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks that will be called with freed memory. */
#include "mistake.h"

#include <gnu/libc-version.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* malloc always maps blocks of this size separately, and later mappings get other addresses. */
#define MANY ((size_t)64 << 20)

static void destroyed(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

/* A later allocation prevents the chunk from becoming part of the heap's end. */
static void user_data_freed(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *memory = malloc(SIZE);
    void *behind = malloc(SIZE);
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    AT(told.line, clSetMemObjectDestructorCallback(buffer, destroyed, memory));
    told.object = buffer;
    told.address = (uintptr_t)memory;
    free(scene->is_wrong ? memory : behind);
    mistake_stop(scene, &told);
}

static void CL_CALLBACK told_of(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    __atomic_store_n((char *)user_data, 1, __ATOMIC_RELEASE);
}

/* Return when the callback was called with this memory, unless that is the mistake. */
__attribute__((noinline)) static void register_local(const scene_t *scene, told_t *told)
{
    char local[SIZE];
    cl_event event = clCreateUserEvent(scene->context, NULL);
    memset(local, 0, sizeof(local));
    AT(told->line, clSetEventCallback(event, CL_COMPLETE, told_of, local));
    told->object = event;
    told->address = (uintptr_t)local;
    if (scene->is_wrong)
        return;
    mistake_stop(scene, told);
    clSetUserEventStatus(event, CL_COMPLETE);
    while (__atomic_load_n(local, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
}

static void user_data_on_stack(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    register_local(scene, &told);
    if (scene->is_wrong)
        mistake_stop(scene, &told);
}

static void CL_CALLBACK free_nothing(cl_command_queue queue, cl_uint count, void *pointers[],
                                     void *user_data)
{
    (void)queue;
    (void)count;
    (void)pointers;
    (void)user_data;
}

static void user_data_freed_svm(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.object = scene->queue, .size = SIZE};
    void *memory = malloc(SIZE);
    void *behind = malloc(SIZE);
    void *svm = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, SIZE, 0);
    truth_require(svm != NULL, "no SVM");
    AT(told.line,
       clEnqueueSVMFree(scene->queue, 1, &svm, free_nothing, memory, 1, &scene->gate, NULL));
    told.address = (uintptr_t)memory;
    free(scene->is_wrong ? memory : behind);
    mistake_stop(scene, &told);
}

static void *user_data_freed_in_thread(void *argument)
{
    user_data_freed(argument);
    return NULL;
}

/* Of the arena of another thread. */
static void user_data_freed_arena(const scene_t *scene)
{
    pthread_t thread;
    pthread_create(&thread, NULL, user_data_freed_in_thread, (void *)(uintptr_t)scene);
    pthread_join(thread, NULL);
}

static void register_destructor(const scene_t *scene, told_t *told, void *user_data)
{
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    AT(told->line, clSetMemObjectDestructorCallback(buffer, destroyed, user_data));
    told->object = buffer;
    told->address = (uintptr_t)user_data;
}

/* A chunk of malloc's with its own mapping. */
static void user_data_freed_large(const scene_t *scene)
{
    told_t told = {.size = MANY};
    void *memory = malloc(MANY);
    truth_require(memory != NULL, "no memory");
    register_destructor(scene, &told, memory);
    if (scene->is_wrong)
        free(memory);
    mistake_stop(scene, &told);
}

/* Memory that the program cannot write to, and that a core may omit, still exists. */
static void user_data_unmapped(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    truth_require(memory != MAP_FAILED, "no memory");
    register_destructor(scene, &told, (void *)(uintptr_t)gnu_get_libc_version());
    register_destructor(scene, &told, memory);
    if (scene->is_wrong)
        munmap(memory, SIZE);
    mistake_stop(scene, &told);
}

/* A thread, and the user data of its callback. */
typedef struct registering_t {
    const scene_t *scene;
    told_t told;
    cl_event event;
    bool is_registered;
} registering_t;

/* Register this memory; if that is not a mistake, it exists until the callback was called. */
static void *register_in_thread(void *argument)
{
    registering_t *registering = argument;
    char local[SIZE];
    memset(local, 0, sizeof(local));
    AT(registering->told.line, clSetEventCallback(registering->event, CL_COMPLETE, told_of, local));
    registering->told.address = (uintptr_t)local;
    registering->told.lwp = (int)gettid();
    __atomic_store_n(&registering->is_registered, true, __ATOMIC_RELEASE);
    while (!registering->scene->is_wrong && __atomic_load_n(local, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    return NULL;
}

static void user_data_of_ended_thread(const scene_t *scene)
{
    registering_t registering = {.scene = scene, .event = clCreateUserEvent(scene->context, NULL)};
    pthread_t thread;
    pthread_create(&thread, NULL, register_in_thread, &registering);
    while (!__atomic_load_n(&registering.is_registered, __ATOMIC_ACQUIRE))
        sched_yield();
    if (scene->is_wrong)
        pthread_join(thread, NULL);
    registering.told.object = registering.event;
    mistake_stop(scene, &registering.told);
    clSetUserEventStatus(registering.event, CL_COMPLETE);
    pthread_join(thread, NULL);
}

const mistake_t mistakes_user_data[] = {
    {"user-data-freed", user_data_freed},
    {"user-data-freed-arena", user_data_freed_arena},
    {"user-data-freed-large", user_data_freed_large},
    {"user-data-freed-svm", user_data_freed_svm},
    {"user-data-unmapped", user_data_unmapped},
    {"user-data-on-stack", user_data_on_stack},
    {"user-data-of-ended-thread", user_data_of_ended_thread},
    {NULL, NULL},
};
