/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects of the program truth-program: everything that a runtime can make, with the truth. */
#ifndef POPULATION_H
#define POPULATION_H

#include "runtime.h"

typedef struct population_t {
    runtime_t runtime;
    cl_context context;
    truth_row_t *context_row;
    cl_context released_context; /* the program has released its references, a buffer holds it */
    cl_command_queue queue;
    cl_command_queue blocked_queue; /* waits for `gate` */
    truth_row_t *blocked_queue_row;
    long command_count; /* in it */
    cl_event gate;      /* user event */
    /* The runtime calls destructor callbacks after the last release has returned, and destroys the
     * object some time after them. */
    bool calls_later;
} population_t;

/* memobjs */
void population_buffers_create(population_t *population);
void population_sub_buffers_create(population_t *population);
void population_images_create(population_t *population);
void population_pipes_create(population_t *population);
void population_released_create(population_t *population);

/* programs */

/* Make programs, built, failed and not built; their kernels; samplers. */
void population_programs_create(population_t *population);

/* Add the row of EVENT, of a command of TYPE in QUEUE, or of a user event, QUEUE NULL, that the
 * last TRUTH_CALL has made. */
truth_row_t *population_event_add(population_t *population, cl_event event, const char *type,
                                  cl_command_queue queue);

/* Set the user event `gate`, and wait for what waits for it. */
void population_gate_open(population_t *population);

/* Add the row of a command of TYPE in the blocked queue, that the last TRUTH_CALL has enqueued to
 * wait for the gate. */
truth_row_t *population_command_add(population_t *population, const char *type);

/* Make a buffer in CONTEXT, with its row. */
truth_row_t *population_buffer_add(cl_context context, cl_mem_flags flags, size_t size,
                                   void *host_pointer);

/* Release all objects of the program; wait for the runtime's effects where
 * possible. */
void population_release_all(population_t *population);

/* svm */
void population_svm_create(population_t *population);

/* Note that the frees enqueued behind the gate have been done. */
void population_svm_frees_done(population_t *population);

/* destructors */

/* Register COUNT destructor callbacks, alternating functions, with user data FIRST_DATA and on. */
void population_destructors_register(truth_row_t *row, size_t count, size_t first_data);
void population_context_destructors_register(truth_row_t *row, size_t first_data);

/* Register three callbacks, the second of which to run stops the program; see population_stop. */
void population_stopper_register(truth_row_t *row);

/* Make the objects of two threads besides the main one: one continues, and one has ended. */
void population_threads_create(population_t *population);
void population_threads_end(void);

/* What a stop does: write the truth, then truth_stop or what the command line asked for. */
void population_stop(const char *stop);

#endif
