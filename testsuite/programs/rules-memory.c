/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mappings, host memory and transfers. */
#include "rules.h"

#include <stdlib.h>

/* ---- Host memory ----------------------------------------------------------------------------- */

static void host_freed(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *memory = calloc(1, SIZE);
    void *behind = calloc(1, SIZE); /* so that the block does not become part of the heap's end */
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    cl_mem buffer;

    truth_require(memory != NULL && behind != NULL, "no memory");
    AT(told.line, buffer = clCreateBuffer(scene->context, flags, SIZE, memory, NULL));
    told.object = buffer;
    told.address = (uintptr_t)memory;
    if (scene->is_wrong)
        free(memory);
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    if (!scene->is_wrong)
        free(memory);
    free(behind);
}

const mistake_t rules_of_memory[] = {
    {"host-freed", host_freed},
    {NULL, NULL},
};
