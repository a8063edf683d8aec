/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <pthread.h>

static pthread_barrier_t created; /* the continuing thread has made its objects */
static pthread_barrier_t ended;
static pthread_t lasting_thread;

static void create_objects(population_t *population, size_t size, size_t first_data)
{
    truth_row_t *row = population_buffer_add(population->context, CL_MEM_READ_WRITE, size, NULL);
    population_destructors_register(row, 3, first_data);
}

static void *ending(void *argument)
{
    create_objects(argument, 7001, 0x90000);
    return NULL;
}

static void *lasting(void *argument)
{
    create_objects(argument, 7002, 0xa0000);
    pthread_barrier_wait(&created);
    pthread_barrier_wait(&ended);
    return NULL;
}

void population_threads_create(population_t *population)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, ending, population);
    truth_require(error == 0, "no thread");
    pthread_join(thread, NULL);
    pthread_barrier_init(&created, NULL, 2);
    pthread_barrier_init(&ended, NULL, 2);
    error = pthread_create(&lasting_thread, NULL, lasting, population);
    truth_require(error == 0, "no thread");
    pthread_barrier_wait(&created);
}

void population_threads_end(void)
{
    pthread_barrier_wait(&ended);
    pthread_join(lasting_thread, NULL);
}
