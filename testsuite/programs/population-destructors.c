/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <stdint.h>

#define CONTEXT_DESTRUCTORS 3

static void destructor_first(cl_mem memory, void *user_data)
{
    const void *self = (const void *)destructor_first;
    truth_destructor_end(truth_destructor_begin(truth_memobjs, memory, self, user_data));
}

static void destructor_second(cl_mem memory, void *user_data)
{
    const void *self = (const void *)destructor_second;
    truth_destructor_end(truth_destructor_begin(truth_memobjs, memory, self, user_data));
}

static void destructor_stopping(cl_mem memory, void *user_data)
{
    const void *self = (const void *)destructor_stopping;
    truth_destructor_t *destructor;
    destructor = truth_destructor_begin(truth_memobjs, memory, self, user_data);
    population_stop("destructor");
    truth_destructor_end(destructor);
}

static void context_destructor(cl_context context, void *user_data)
{
    const void *self = (const void *)context_destructor;
    truth_destructor_end(truth_destructor_begin(truth_contexts, context, self, user_data));
}

typedef void (*destructor_t)(cl_mem, void *);

static void destructor_register(truth_row_t *row, const char *symbol, destructor_t function,
                                void *user_data)
{
    cl_mem memory = (cl_mem)row->handle;
    cl_int status = TRUTH_CALL(clSetMemObjectDestructorCallback(memory, function, user_data));
    truth_require(status == CL_SUCCESS, "no destructor callback");
    truth_destructor_add(row, symbol, (const void *)function, user_data);
}

void population_destructors_register(truth_row_t *row, size_t count, size_t first_data)
{
    for (size_t i = 0; i < count; i++) {
        /* Number 3 repeats number 2 in everything: the same function twice, the same user data. */
        void *user_data = (void *)(uintptr_t)(first_data + (i == 3 ? 2 : i));
        if (i % 2 == 1)
            destructor_register(row, "destructor_second", destructor_second, user_data);
        else
            destructor_register(row, "destructor_first", destructor_first, user_data);
    }
}

void population_stopper_register(truth_row_t *row)
{
    destructor_register(row, "destructor_first", destructor_first, (void *)0x80001);
    destructor_register(row, "destructor_stopping", destructor_stopping, (void *)0x80002);
    destructor_register(row, "destructor_second", destructor_second, (void *)0x80003);
}

void population_context_destructors_register(truth_row_t *row, size_t first_data)
{
    for (size_t i = 0; i < CONTEXT_DESTRUCTORS; i++) {
        cl_context context = (cl_context)row->handle;
        void *user_data = (void *)(uintptr_t)(first_data + i);
        cl_int status;
        status = TRUTH_CALL(clSetContextDestructorCallback(context, context_destructor, user_data));
        if (status == CL_SUCCESS) {
            const void *function = (const void *)context_destructor;
            truth_destructor_add(row, "context_destructor", function, user_data);
        }
    }
}
