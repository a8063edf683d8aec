/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <stdlib.h>
#include <string.h>

static char system_memory[256];

/* NVIDIA's runtime passes the program's own array, which may have any contents by now. */
static void svm_free_function(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    cl_context context = NULL;
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    for (cl_uint i = 0; i < count; i++) {
        truth_row_t *row = truth_row_find(truth_svm, pointers[i]);
        if (row != NULL) {
            clSVMFree(context, pointers[i]);
            row->gone = true;
        }
    }
    (void)data;
}

static truth_row_t *svm_add(cl_context context, cl_svm_mem_flags flags, size_t size,
                            cl_uint alignment)
{
    void *pointer = TRUTH_CALL(clSVMAlloc(context, flags, size, alignment));
    truth_require(pointer != NULL, "no SVM allocation");
    truth_row_t *row = truth_row_add(truth_svm, "svm", pointer);
    row->state = "allocated";
    row->context = context;
    row->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
    row->size = size;
    row->alignment = alignment;
    return row;
}

typedef void (*svm_free_function_t)(cl_command_queue, cl_uint, void *[], void *);

/* Enqueue a free of ROWS after the gate; a NULL row is memory that clSVMAlloc did not return. */
static void svm_free_enqueue(population_t *population, size_t count, truth_row_t **rows,
                             svm_free_function_t function, void *user_data, bool wants_event)
{
    void *pointers[TRUTH_MAX_ADDRESSES];
    for (size_t i = 0; i < count; i++)
        pointers[i] = rows[i] != NULL ? (void *)rows[i]->handle : system_memory;
    cl_command_queue queue = population->blocked_queue;
    const cl_event *gate = &population->gate;
    cl_event event = NULL;
    cl_event *out = wants_event ? &event : NULL;
    cl_uint n = (cl_uint)count;
    cl_int status;
    status = TRUTH_CALL(clEnqueueSVMFree(queue, n, pointers, function, user_data, 1, gate, out));
    truth_require(status == CL_SUCCESS, "no SVM free");
    truth_row_t *row = truth_row_add(truth_svm_frees, "", NULL);
    row->state = "enqueued";
    row->context = population->context;
    row->queue = queue;
    row->event = event;
    row->function = function;
    row->symbol = "svm_free_function";
    row->user_data = user_data;
    row->pointer_count = count;
    for (size_t i = 0; i < count; i++) {
        row->pointers[i] = pointers[i];
        row->from_svm_alloc[i] = rows[i] != NULL;
        if (rows[i] != NULL) {
            rows[i]->state = "free-enqueued";
            rows[i]->function = (const void *)function;
        }
    }
    row->wait_count = 1;
    row->waits[0] = *gate;
    population->blocked_queue_row->svm_frees++;
    population_command_add(population, "svm-free")->event = event;
    if (wants_event)
        population_event_add(population, event, "svm-free", queue);
    /* The program may use its array again at once (OpenCL 3.0 clEnqueueSVMFree). */
    memset(pointers, 0xee, sizeof(pointers));
}

void population_svm_create(population_t *population)
{
    cl_device_svm_capabilities svm = population->runtime.svm;
    cl_context context = population->context;
    if (svm == 0)
        return;
    svm_add(context, CL_MEM_READ_WRITE, 65536, 0);
    svm_add(context, CL_MEM_READ_ONLY, 1000, 64);
    if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
        svm_add(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 4096, 128);
    truth_row_t *gone = svm_add(context, CL_MEM_READ_WRITE, 333, 0);
    clSVMFree(context, (void *)gone->handle);
    gone->gone = true;

    truth_row_t *under = svm_add(context, CL_MEM_READ_WRITE, 16384, 0);
    void *pointer = (void *)under->handle;
    cl_mem_flags use = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    truth_row_t *buffer = population_buffer_add(context, use, 16384, pointer);
    buffer->svm = pointer;

    truth_row_t *freed[3];
    freed[0] = svm_add(context, CL_MEM_READ_WRITE, 2048, 0);
    freed[1] = svm_add(context, CL_MEM_READ_WRITE, 4096, 0);
    svm_free_enqueue(population, 2, freed, NULL, NULL, true);
    freed[0] = svm_add(context, CL_MEM_READ_WRITE, 5000, 0);
    freed[1] = NULL;
    freed[2] = svm_add(context, CL_MEM_READ_WRITE, 6000, 0);
    svm_free_enqueue(population, 3, freed, svm_free_function, (void *)0x70001, false);
}

void population_svm_frees_done(population_t *population)
{
    truth_row_t *row;
    for (size_t i = 0; (row = truth_row_get(i)) != NULL; i++) {
        bool is_freed = row->table == truth_svm && strcmp(row->state, "free-enqueued") == 0;
        if (row->table == truth_svm_frees || (is_freed && row->function == NULL))
            row->gone = true;
        else if (is_freed)
            row->state = "allocated"; /* unless the callback has freed it */
    }
    population->blocked_queue_row->svm_frees = 0;
}
