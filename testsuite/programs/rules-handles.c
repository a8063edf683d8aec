/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are destroyed, of another kind or of another context. */
#include "rules.h"

/* ---- Used after the last release ------------------------------------------------------------- */

/* A pending command keeps the buffer alive. */
static void flush_released(const scene_t *scene)
{
    static const char zero[SIZE];
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_mem buffer = rules_make_buffer(scene);

    clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, zero, 1, &scene->gate, NULL);
    if (!scene->is_wrong)
        clRetainCommandQueue(queue);
    AT(told.other_line, clReleaseCommandQueue(queue));
    AT(told.line, clFlush(queue));
    told.object = queue;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    if (!scene->is_wrong)
        clReleaseCommandQueue(queue);
}

const mistake_t rules_of_handles[] = {
    {"flush-released", flush_released},
    {NULL, NULL},
};
