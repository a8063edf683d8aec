/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <string.h>

static char host_memory[16][8192] __attribute__((aligned(4096)));

/* A fact from the runtime: the program cannot know it otherwise. */
static size_t memobj_size(cl_mem memory)
{
    size_t size = 0;
    clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(size), &size, NULL);
    return size;
}

static truth_row_t *row_add(const char *kind, cl_context context, cl_mem memory, cl_mem_flags flags,
                            size_t size)
{
    truth_row_t *row = truth_row_add(truth_memobjs, kind, memory);
    row->context = context;
    row->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
    row->size = size;
    row->children = 0;
    return row;
}

__attribute__((noinline)) truth_row_t *population_buffer_add(cl_context context, cl_mem_flags flags,
                                                             size_t size, void *host_pointer)
{
    cl_int status = CL_SUCCESS;
    cl_mem memory = TRUTH_CALL(clCreateBuffer(context, flags, size, host_pointer, &status));
    truth_require(status == CL_SUCCESS, "no buffer");
    truth_row_t *row = row_add("buffer", context, memory, flags, size);
    if (flags & CL_MEM_USE_HOST_PTR)
        row->host_pointer = host_pointer;
    return row;
}

static truth_row_t *sub_buffer_add(truth_row_t *parent, cl_mem_flags flags, size_t origin,
                                   size_t size)
{
    const cl_buffer_region region = {origin, size};
    cl_mem buffer = (cl_mem)parent->handle;
    const cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION;
    cl_int status = CL_SUCCESS;
    /* What a sub-buffer takes over from its buffer (OpenCL 3.0 section 5.2.1, clCreateSubBuffer).
     */
    const cl_mem_flags inherited =
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    cl_mem memory = TRUTH_CALL(clCreateSubBuffer(buffer, flags, type, &region, &status));
    truth_require(status == CL_SUCCESS, "no sub-buffer");
    flags |= parent->flags & inherited;
    truth_row_t *row = row_add("sub-buffer", (cl_context)parent->context, memory, flags, size);
    row->parent = parent->handle;
    row->has_origin = true;
    row->origin = origin;
    if (parent->host_pointer != NULL)
        row->host_pointer = (const char *)parent->host_pointer + origin;
    parent->children++;
    return row;
}

static void retain(truth_row_t *row, int times)
{
    for (int i = 0; i < times; i++)
        truth_require(clRetainMemObject((cl_mem)row->handle) == CL_SUCCESS, "no retain");
    row->references += times;
}

/* The runtime counts the references of the program only, without those of the context's queues.
 * What its commands use is unknown then. */
static bool is_uncounted(const population_t *population)
{
    cl_uint count = 0;
    clGetContextInfo(population->context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL);
    return (long)count == population->context_row->references;
}

/* Release the program's last reference.  ROW stays while something holds the object, as a command
 * that IS_USING it does, counted or not. */
static void release_last(const population_t *population, truth_row_t *row, bool is_using)
{
    cl_uint held = 0;
    cl_mem memory = (cl_mem)row->handle;
    clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof(held), &held, NULL);
    row->may_be_gone = held == 1 && row->children == 0 && !is_using && is_uncounted(population);
    row->gone = held == 1 && row->children == 0 && !is_using && !row->may_be_gone;
    cl_int status = TRUTH_RELEASE(row, clReleaseMemObject(memory));
    truth_require(status == CL_SUCCESS, "no release");
}

void population_buffers_create(population_t *population)
{
    static const cl_mem_flags flags[] = {
        0,
        CL_MEM_READ_WRITE,
        CL_MEM_READ_ONLY,
        CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS,
    };
    cl_context context = population->context;
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        truth_row_t *row = population_buffer_add(context, flags[i], 64 + 100 * i * i, NULL);
        population_destructors_register(row, i < 4 ? i : 0, 0x1000 * (i + 1));
        retain(row, (int)i % 3);
    }
    cl_mem_flags use = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    truth_row_t *row = population_buffer_add(context, use, sizeof(host_memory[0]), host_memory[0]);
    population_destructors_register(row, 7, 0x20000);
    row = population_buffer_add(context, CL_MEM_USE_HOST_PTR, 4096, host_memory[1]);
    population_destructors_register(row, 1, 0);
    cl_mem_flags copy = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    population_buffer_add(context, copy, 512, host_memory[2]);
    population_buffer_add(context, CL_MEM_READ_WRITE, (size_t)3 << 20, NULL);
}

void population_sub_buffers_create(population_t *population)
{
    cl_context context = population->context;
    cl_mem_flags use = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    truth_row_t *parent = population_buffer_add(context, use, 8192, host_memory[3]);
    sub_buffer_add(parent, CL_MEM_READ_ONLY, 0, 1024);
    truth_row_t *child = sub_buffer_add(parent, CL_MEM_READ_WRITE, 4096, 2048);
    population_destructors_register(child, 2, 0x30000);
    parent = population_buffer_add(context, CL_MEM_READ_WRITE, 4096, NULL);
    sub_buffer_add(parent, CL_MEM_WRITE_ONLY, 0, 4096);
}

static void image_add(population_t *population, const char *kind, const cl_image_desc *shape,
                      truth_row_t *parent, size_t destructors)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_context context = population->context;
    cl_mem_flags flags = CL_MEM_READ_WRITE;
    cl_int status = CL_SUCCESS;
    cl_mem memory = TRUTH_CALL(clCreateImage(context, flags, &format, shape, NULL, &status));
    if (status != CL_SUCCESS)
        return;
    truth_row_t *row = row_add(kind, context, memory, flags, memobj_size(memory));
    if (parent != NULL) {
        row->parent = parent->handle;
        parent->children++;
    }
    population_destructors_register(row, destructors, 0x40000);
}

static void deprecated_images_create(population_t *population)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_context context = population->context;
    cl_mem_flags flags = CL_MEM_READ_ONLY;
    cl_int status = CL_SUCCESS;
    cl_mem memory = TRUTH_CALL(clCreateImage2D(context, flags, &format, 16, 8, 0, NULL, &status));
    if (status == CL_SUCCESS)
        row_add("image2d", context, memory, flags, memobj_size(memory));
    memory = TRUTH_CALL(clCreateImage3D(context, flags, &format, 8, 4, 2, 0, 0, NULL, &status));
    if (status == CL_SUCCESS)
        row_add("image3d", context, memory, flags, memobj_size(memory));
}

void population_images_create(population_t *population)
{
    if (!population->runtime.has_images)
        return;
    cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 100};
    image_add(population, "image1d", &shape, NULL, 0);
    shape = (cl_image_desc){CL_MEM_OBJECT_IMAGE2D, 64, 32, 1, 1, 0, 0, 0, 0, {NULL}};
    image_add(population, "image2d", &shape, NULL, 2);
    shape = (cl_image_desc){CL_MEM_OBJECT_IMAGE3D, 16, 8, 4, 1, 0, 0, 0, 0, {NULL}};
    image_add(population, "image3d", &shape, NULL, 1);
    shape = (cl_image_desc){CL_MEM_OBJECT_IMAGE1D_ARRAY, 32, 1, 1, 5, 0, 0, 0, 0, {NULL}};
    image_add(population, "image1d_array", &shape, NULL, 0);
    shape = (cl_image_desc){CL_MEM_OBJECT_IMAGE2D_ARRAY, 32, 16, 1, 3, 0, 0, 0, 0, {NULL}};
    image_add(population, "image2d_array", &shape, NULL, 0);
    cl_context context = population->context;
    truth_row_t *parent = population_buffer_add(context, CL_MEM_READ_WRITE, 16384, NULL);
    shape = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256};
    shape.mem_object = (cl_mem)parent->handle;
    image_add(population, "image1d_buffer", &shape, parent, 1);
    if (population->runtime.has_image_from_buffer) {
        parent = population_buffer_add(context, CL_MEM_READ_WRITE, 65536, NULL);
        shape = (cl_image_desc){CL_MEM_OBJECT_IMAGE2D, 64, 32, 1, 1, 1024, 0, 0, 0, {NULL}};
        shape.mem_object = (cl_mem)parent->handle;
        image_add(population, "image2d", &shape, parent, 0);
    }
    deprecated_images_create(population);
}

void population_pipes_create(population_t *population)
{
    if (!population->runtime.has_pipes)
        return;
    cl_context context = population->context;
    cl_int status = CL_SUCCESS;
    cl_mem memory = TRUTH_CALL(clCreatePipe(context, 0, 16, 32, NULL, &status));
    truth_require(status == CL_SUCCESS, "no pipe");
    row_add("pipe", context, memory, CL_MEM_READ_WRITE, memobj_size(memory));
}

truth_row_t *population_command_add(population_t *population, const char *type)
{
    truth_row_t *row = truth_row_add(truth_commands, type, NULL);
    row->state = "enqueued";
    row->context = population->context;
    row->queue = population->blocked_queue;
    row->number = ++population->command_count;
    row->wait_count = 1;
    row->waits[0] = population->gate;
    return row;
}

void population_released_create(population_t *population)
{
    cl_context context = population->context;
    truth_row_t *parent = population_buffer_add(context, CL_MEM_READ_WRITE, 8192, NULL);
    population_destructors_register(parent, 2, 0x50000);
    sub_buffer_add(parent, CL_MEM_READ_WRITE, 4096, 4096);
    release_last(population, parent, false);

    truth_row_t *written = population_buffer_add(context, CL_MEM_READ_WRITE, 1000, NULL);
    population_destructors_register(written, 1, 0x60000);
    truth_row_t *plain = population_buffer_add(context, CL_MEM_READ_WRITE, 2000, NULL);
    truth_row_t *const rows[] = {written, plain};
    for (size_t i = 0; i < 2; i++) {
        cl_command_queue queue = population->blocked_queue;
        const cl_event *gate = &population->gate;
        cl_mem to = (cl_mem)rows[i]->handle;
        void *from = host_memory[4];
        cl_int status;
        status = TRUTH_CALL(clEnqueueWriteBuffer(queue, to, 0, 0, 512, from, 1, gate, NULL));
        truth_require(status == CL_SUCCESS, "no write");
        population_command_add(population, "write-buffer")->memobj = to;
        release_last(population, rows[i], true);
        rows[i]->is_pending = true;
    }
    truth_row_t *gone = population_buffer_add(context, CL_MEM_READ_WRITE, 3000, NULL);
    release_last(population, gone, false);
    population_buffer_add(population->released_context, CL_MEM_READ_ONLY, 4000, NULL);
    clReleaseContext(population->released_context);
    truth_row_t *row = truth_row_find(truth_contexts, population->released_context);
    row->references = 0;
    row->state = "app-released";
}
