/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL layer that changes buffers as layers may, by OMPD_TEST_LAYER:
 *
 *     wrap     the program gets other handles than the runtime's
 *     reorder  releases are held back, and passed on by clFinish, the last first
 *     fail     a third of the calls fail, and are not passed on
 *
 * It is for one thread.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

#define NAME "a layer of the tests"
#define MOST_HELD_BACK 64

static cl_icd_dispatch below;
static cl_icd_dispatch table;

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = name == CL_LAYER_NAME ? (const void *)NAME : &version;
    size_t answer_size = name == CL_LAYER_NAME ? sizeof(NAME) : sizeof(version);
    if ((name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION) ||
        (value != NULL && size < answer_size))
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, answer, answer_size);
    if (size_ret != NULL)
        *size_ret = answer_size;
    return CL_SUCCESS;
}

/* ---- Other handles --------------------------------------------------------------------------- */

/* What a handle of ours leads to. */
struct outer {
    cl_icd_dispatch *dispatch; /* as that of every object */
    cl_mem inner;
    cl_uint references;
};

static cl_mem inner_of(cl_mem memory)
{
    return ((struct outer *)(void *)memory)->inner;
}

static cl_mem CL_API_CALL wrap_create(cl_context context, cl_mem_flags flags, size_t size,
                                      void *host_pointer, cl_int *status)
{
    cl_mem inner = below.clCreateBuffer(context, flags, size, host_pointer, status);
    struct outer *outer = inner != NULL ? malloc(sizeof(*outer)) : NULL;
    if (outer != NULL)
        *outer = (struct outer){*(cl_icd_dispatch **)(void *)inner, inner, 1};
    return (cl_mem)(void *)outer;
}

static cl_int CL_API_CALL wrap_retain(cl_mem memory)
{
    ((struct outer *)(void *)memory)->references++;
    return below.clRetainMemObject(inner_of(memory));
}

static cl_int CL_API_CALL wrap_release(cl_mem memory)
{
    struct outer *outer = (void *)memory;
    bool is_last = --outer->references == 0;
    cl_int status = below.clReleaseMemObject(outer->inner);
    if (is_last)
        free(outer);
    return status;
}

/* A callback of the program's, which knows our handle. */
struct wrapped_callback {
    void(CL_CALLBACK *function)(cl_mem memory, void *user_data);
    void *user_data;
    cl_mem outer;
};

static void CL_CALLBACK wrap_called(cl_mem memory, void *user_data)
{
    struct wrapped_callback *callback = user_data;
    (void)memory;
    callback->function(callback->outer, callback->user_data);
    free(callback);
}

static cl_int CL_API_CALL wrap_callback(cl_mem memory,
                                        void(CL_CALLBACK *function)(cl_mem memory, void *user_data),
                                        void *user_data)
{
    struct wrapped_callback *callback = malloc(sizeof(*callback));
    if (callback == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *callback = (struct wrapped_callback){function, user_data, memory};
    return below.clSetMemObjectDestructorCallback(inner_of(memory), wrap_called, callback);
}

static cl_int CL_API_CALL wrap_info(cl_mem memory, cl_mem_info name, size_t size, void *value,
                                    size_t *size_ret)
{
    return below.clGetMemObjectInfo(inner_of(memory), name, size, value, size_ret);
}

static void wrap(void)
{
    table.clCreateBuffer = wrap_create;
    table.clRetainMemObject = wrap_retain;
    table.clReleaseMemObject = wrap_release;
    table.clSetMemObjectDestructorCallback = wrap_callback;
    table.clGetMemObjectInfo = wrap_info;
}

/* ---- Another order --------------------------------------------------------------------------- */

static cl_mem held_back[MOST_HELD_BACK];
static size_t held_back_count;

static cl_int CL_API_CALL reorder_release(cl_mem memory)
{
    if (held_back_count == MOST_HELD_BACK)
        return below.clReleaseMemObject(memory);
    held_back[held_back_count++] = memory;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL reorder_finish(cl_command_queue queue)
{
    while (held_back_count > 0)
        below.clReleaseMemObject(held_back[--held_back_count]);
    return below.clFinish(queue);
}

static void reorder(void)
{
    table.clReleaseMemObject = reorder_release;
    table.clFinish = reorder_finish;
}

/* ---- Failures -------------------------------------------------------------------------------- */

static bool fails(void)
{
    static unsigned number = 1;
    number = number * 1103515245 + 12345;
    return (number >> 16) % 3 == 0;
}

static cl_mem CL_API_CALL fail_create(cl_context context, cl_mem_flags flags, size_t size,
                                      void *host_pointer, cl_int *status)
{
    if (!fails())
        return below.clCreateBuffer(context, flags, size, host_pointer, status);
    if (status != NULL)
        *status = CL_OUT_OF_RESOURCES;
    return NULL;
}

static cl_int CL_API_CALL fail_retain(cl_mem memory)
{
    return fails() ? CL_OUT_OF_RESOURCES : below.clRetainMemObject(memory);
}

static cl_int CL_API_CALL fail_release(cl_mem memory)
{
    return fails() ? CL_OUT_OF_RESOURCES : below.clReleaseMemObject(memory);
}

static cl_int CL_API_CALL fail_callback(cl_mem memory,
                                        void(CL_CALLBACK *function)(cl_mem memory, void *user_data),
                                        void *user_data)
{
    return fails() ? CL_OUT_OF_RESOURCES
                   : below.clSetMemObjectDestructorCallback(memory, function, user_data);
}

static void fail(void)
{
    table.clCreateBuffer = fail_create;
    table.clRetainMemObject = fail_retain;
    table.clReleaseMemObject = fail_release;
    table.clSetMemObjectDestructorCallback = fail_callback;
}

/* ---- What a loader asks ---------------------------------------------------------------------- */

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target,
                                        cl_uint *num_entries_ret, const cl_icd_dispatch **table_ret)
{
    const char *way = getenv("OMPD_TEST_LAYER");
    cl_uint known = sizeof(table) / sizeof(void *);
    if (num_entries < known)
        known = num_entries;
    memcpy(&below, target, known * sizeof(void *));
    table = below;
    if (way != NULL && strcmp(way, "wrap") == 0)
        wrap();
    else if (way != NULL && strcmp(way, "reorder") == 0)
        reorder();
    else if (way != NULL && strcmp(way, "fail") == 0)
        fail();
    *num_entries_ret = known;
    *table_ret = &table;
    return CL_SUCCESS;
}
