/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that the recorder does not see: of the runtime's own functions, by the dispatch table that
 * each object begins with, as a library does that was linked with the runtime instead of the
 * loader. */
#include "mistake.h"

#include <CL/cl_icd.h>

static const cl_icd_dispatch *dispatch_of(const void *object)
{
    return *(const cl_icd_dispatch *const *)object;
}

static void unseen_release(cl_mem memory)
{
    truth_require(dispatch_of(memory)->clReleaseMemObject(memory) == CL_SUCCESS, "no release");
}

static void unseen_retain(cl_mem memory)
{
    truth_require(dispatch_of(memory)->clRetainMemObject(memory) == CL_SUCCESS, "no retain");
}

static cl_mem make_buffer(const scene_t *scene, size_t size)
{
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, size, NULL, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* The object is destroyed with its only reference. */
static void released_unseen(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = AT(told.line, make_buffer(scene, SIZE));
    if (!scene->is_wrong)
        unseen_retain(buffer);
    unseen_release(buffer);
    told.object = buffer;
    mistake_stop(scene, &told);
}

/* Of two references one is left. */
static void released_unseen_once(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = AT(told.line, make_buffer(scene, SIZE));
    clRetainMemObject(buffer);
    if (!scene->is_wrong)
        unseen_retain(buffer);
    unseen_release(buffer);
    told.object = buffer;
    mistake_stop(scene, &told);
}

/* The same with an event of a pending command. */
static void released_unseen_event(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event;
    AT(told.line, clEnqueueMarkerWithWaitList(scene->queue, 1, &scene->gate, &event));
    for (int i = 0; i < 8; i++)
        clRetainEvent(event);
    if (scene->is_wrong)
        for (int i = 0; i < 8; i++)
            dispatch_of(event)->clReleaseEvent(event);
    told.object = event;
    mistake_stop(scene, &told);
}

/* Have the memory of the next destroyed buffer allocated again by calloc, as PoCL requests it:
 * calloc uses none of the chunks that malloc caches for the thread. */
static void fill_cache(const scene_t *scene)
{
    cl_mem buffers[16];
    if (scene->runtime.is_oclgrind)
        return;
    for (size_t i = 0; i < 16; i++)
        buffers[i] = make_buffer(scene, SIZE);
    for (size_t i = 0; i < 16; i += 2)
        clReleaseMemObject(buffers[i]);
}

/* How often to try to have a buffer's memory allocated again. If the memory before it is free, the
 * two are merged. In a program that does several things, a thread of the runtime may have freed
 * that. */
static int tries_of(const scene_t *scene)
{
    return scene->is_wrong ? 1 : 16;
}

/* What was made with its memory has its handle; the recorder has seen that. */
static void released_unseen_reused(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    int tries = tries_of(scene);
    cl_mem buffer;
    cl_mem other = NULL;
    do {
        buffer = AT(told.line, make_buffer(scene, SIZE));
        fill_cache(scene);
        if (scene->is_wrong)
            unseen_release(buffer);
        else
            clReleaseMemObject(buffer);
        for (int i = 0; i < 1000 && other != buffer; i++)
            other = make_buffer(scene, SIZE);
    } while (other != buffer && --tries > 0);
    truth_require(other == buffer, "another handle");
    told.object = buffer;
    mistake_stop(scene, &told);
}

/* Or it has not. */
static void another_unseen(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    const cl_icd_dispatch *dispatch = dispatch_of(scene->context);
    int tries = tries_of(scene);
    cl_mem buffer;
    cl_mem other = NULL;
    do {
        buffer = AT(told.line, make_buffer(scene, SIZE));
        fill_cache(scene);
        if (!scene->is_wrong)
            clReleaseMemObject(buffer);
        else
            unseen_release(buffer);
        for (int i = 0; i < 1000 && other != buffer; i++)
            other =
                dispatch->clCreateBuffer(scene->context, CL_MEM_READ_WRITE, 2 * SIZE, NULL, NULL);
    } while (other != buffer && --tries > 0);
    truth_require(other == buffer, "another handle");
    told.object = buffer;
    mistake_stop(scene, &told);
}

static void CL_CALLBACK destroyed(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

/* The program expects one callback only for the end. */
static void callback_unseen(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = AT(told.line, make_buffer(scene, SIZE));
    clSetMemObjectDestructorCallback(buffer, destroyed, NULL);
    if (scene->is_wrong)
        dispatch_of(buffer)->clSetMemObjectDestructorCallback(buffer, destroyed, NULL);
    told.object = buffer;
    mistake_stop(scene, &told);
}

const mistake_t mistakes_unseen[] = {
    {"released-unseen", released_unseen},
    {"released-unseen-once", released_unseen_once},
    {"released-unseen-event", released_unseen_event},
    {"released-unseen-reused", released_unseen_reused},
    {"another-unseen", another_unseen},
    {"callback-unseen", callback_unseen},
    {NULL, NULL},
};
