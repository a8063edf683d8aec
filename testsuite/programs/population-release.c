/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <string.h>

/* PoCL 3.1 and Oclgrind never call the callbacks of such images, and do not release the objects
 * that they hold. */
static bool is_kept_by_some_runtimes(const truth_row_t *row)
{
    return strcmp(row->kind, "image1d_buffer") == 0;
}

static void memobj_release(const population_t *population, truth_row_t *row)
{
    if (is_kept_by_some_runtimes(row)) {
        truth_row_t *parent = truth_row_find(truth_memobjs, row->parent);
        row->may_be_gone = true;
        parent->may_be_gone = true;
    }
    for (long i = 1; i < row->references; i++)
        clReleaseMemObject((cl_mem)row->handle);
    if (row->references != 0)
        TRUTH_RELEASE(row, clReleaseMemObject((cl_mem)row->handle));
    if (row->may_be_gone)
        return;
    truth_destructors_await(row);
    row->gone = !population->calls_later;
    row->may_be_gone = population->calls_later;
}

typedef cl_int(CL_API_CALL *release_function_t)(const void *handle);

/* Release all references of objects that are destroyed then. */
static void references_release(truth_row_t *row, release_function_t function)
{
    for (long i = 0; i < row->references; i++)
        function(row->handle);
    row->gone = true;
}

static void context_release(truth_row_t *row)
{
    long references = row->references;
    row->references = 0;
    row->state = "app-released";
    row->may_be_gone = true;
    for (long i = 0; i < references; i++)
        clReleaseContext((cl_context)row->handle);
}

static void row_release(population_t *population, truth_row_t *row)
{
    switch (row->table) {
    case truth_memobjs:
        memobj_release(population, row);
        break;
    case truth_queues:
        references_release(row, (release_function_t)clReleaseCommandQueue);
        break;
    case truth_svm:
        clSVMFree(population->context, (void *)row->handle);
        row->gone = true;
        break;
    case truth_contexts:
        context_release(row);
        break;
    case truth_programs:
        references_release(row, (release_function_t)clReleaseProgram);
        break;
    case truth_kernels:
        references_release(row, (release_function_t)clReleaseKernel);
        break;
    case truth_samplers:
        references_release(row, (release_function_t)clReleaseSampler);
        break;
    case truth_events:
        references_release(row, (release_function_t)clReleaseEvent);
        break;
    case truth_commands:
        row->gone = true; /* with its queue */
        break;
    case truth_svm_frees:
        break;
    }
}

void population_release_all(population_t *population)
{
    size_t count = 0;
    while (truth_row_get(count) != NULL)
        count++;
    /* The newest first: objects created from an object before the object, contexts last. */
    for (size_t i = count; i > 0; i--) {
        truth_row_t *row = truth_row_get(i - 1);
        if (!row->gone)
            row_release(population, row);
    }
}
