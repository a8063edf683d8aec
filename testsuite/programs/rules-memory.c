/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mappings, host memory and transfers. */
#include "rules.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

/* ---- Mappings -------------------------------------------------------------------------------- */

static void *map(const scene_t *scene, cl_mem buffer, int *line)
{
    void *pointer;

    AT(*line, pointer = clEnqueueMapBuffer(scene->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0,
                                           NULL, NULL, NULL));
    truth_require(pointer != NULL, "no mapping");
    return pointer;
}

static void never_unmapped(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);
    void *pointer = map(scene, buffer, &told.other_line);

    told.object = buffer;
    told.address = (uintptr_t)pointer;
    if (!scene->is_wrong)
        clEnqueueUnmapMemObject(scene->queue, buffer, pointer, 0, NULL, NULL);
    clFinish(scene->queue);
    AT(told.line, clReleaseMemObject(buffer));
    mistake_stop(scene, &told);
}

static void unmapped_twice(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    int line;
    cl_mem buffer = rules_make_buffer(scene);
    void *pointer = map(scene, buffer, &line);

    told.object = buffer;
    told.address = (uintptr_t)pointer;
    if (!scene->is_wrong)
        map(scene, buffer, &line);
    AT(told.other_line, clEnqueueUnmapMemObject(scene->queue, buffer, pointer, 0, NULL, NULL));
    AT(told.line, clEnqueueUnmapMemObject(scene->queue, buffer, pointer, 0, NULL, NULL));
    clFinish(scene->queue);
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

/* ---- Transfers ------------------------------------------------------------------------------- */

/* Write to BUFFER from MEMORY once the gate is opened. */
#define WRITE_LATER(scene, buffer, memory)                                                         \
    truth_require(clEnqueueWriteBuffer((scene)->queue, buffer, CL_FALSE, 0, SIZE, memory, 1,       \
                                       &(scene)->gate, NULL) == CL_SUCCESS,                        \
                  "no transfer")

static void transfer_freed(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);
    void *memory = calloc(1, SIZE);
    void *behind = calloc(1, SIZE);

    truth_require(memory != NULL && behind != NULL, "no memory");
    AT(told.line, WRITE_LATER(scene, buffer, memory));
    told.object = buffer;
    told.address = (uintptr_t)memory;
    if (scene->is_wrong)
        free(memory);
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

static void transfer_unmapped(const scene_t *scene)
{
    const int access = PROT_READ | PROT_WRITE;
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);
    /* With neighbours, so that the memory is not soon used for something else. */
    char *memory = mmap(NULL, 3 * SIZE, access, kind, -1, 0);

    truth_require(memory != MAP_FAILED, "no memory");
    memory += SIZE;
    AT(told.line, WRITE_LATER(scene, buffer, memory));
    told.object = buffer;
    told.address = (uintptr_t)memory;
    if (scene->is_wrong)
        munmap(memory, SIZE);
    mistake_stop(scene, &told);
    mmap(memory, SIZE, access, kind | MAP_FIXED, -1, 0);
    clReleaseMemObject(buffer);
}

/* Deeper than the stop uses the stack. */
#define DEPTH 65536

__attribute__((noinline)) static void write_from_frame(const scene_t *scene, cl_mem buffer,
                                                       told_t *told)
{
    char frame[DEPTH];
    static char kept[SIZE];
    char *memory = scene->is_wrong ? frame : kept;

    memory[0] = 1;
    AT(told->line, WRITE_LATER(scene, buffer, memory));
    told->address = (uintptr_t)memory;
}

static void transfer_on_stack(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_mem buffer = rules_make_buffer(scene);

    write_from_frame(scene, buffer, &told);
    told.object = buffer;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

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

static void host_too_small(const scene_t *scene)
{
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    told_t told = {.size = 0};
    void *memory = calloc(1, scene->is_wrong ? SIZE / 2 : SIZE);
    void *behind = calloc(1, 2 * SIZE); /* what a runtime reads behind the block */
    size_t usable = malloc_usable_size(memory);
    cl_mem buffer;

    truth_require(memory != NULL && behind != NULL, "no memory");
    AT(told.line, buffer = clCreateBuffer(scene->context, flags, SIZE, memory, NULL));
    told.object = buffer;
    told.address = (uintptr_t)memory + usable;
    told.size = usable < SIZE ? SIZE - usable : 0;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
    free(memory);
    free(behind);
}

static void transfer_too_small(const scene_t *scene)
{
    told_t told = {.size = 0};
    cl_mem buffer = rules_make_buffer(scene);
    void *memory = calloc(1, scene->is_wrong ? SIZE / 2 : SIZE);
    void *behind = calloc(1, 2 * SIZE);
    size_t usable = malloc_usable_size(memory);

    truth_require(memory != NULL && behind != NULL, "no memory");
    AT(told.line, WRITE_LATER(scene, buffer, memory));
    told.object = buffer;
    told.address = (uintptr_t)memory + usable;
    told.size = usable < SIZE ? SIZE - usable : 0;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

const mistake_t rules_of_memory[] = {
    {"host-freed", host_freed},
    {"host-too-small", host_too_small},
    {"never-unmapped", never_unmapped},
    {"transfer-freed", transfer_freed},
    {"transfer-on-stack", transfer_on_stack},
    {"transfer-too-small", transfer_too_small},
    {"transfer-unmapped", transfer_unmapped},
    {"unmapped-twice", unmapped_twice},
    {NULL, NULL},
};
