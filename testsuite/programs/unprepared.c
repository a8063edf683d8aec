/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program without support for debuggers.  Creates objects of each OpenCL runtime that it finds.
 *
 *     unprepared DIRECTORY BUFFERS none|second|half [abort | destroy | copy BEFORE]
 *
 * For each runtime it makes BUFFERS buffers and a few objects of each other kind, in a context of
 * all its devices and one of the last, and frees none of the buffers, every second one, or the
 * latter half.  Then it stops as "main".  With `destroy` it then stops in each of the four
 * destructor callbacks of one buffer, as "callback1" to "callback4", and after them as "destroyed".
 * With `copy` it has made six copies of the allocation of a buffer, starting BEFORE bytes before
 * its handle.
 *
 * At a stop it writes the truth to DIRECTORY/STOP.json and the line STOP to its standard output,
 * and reads a line; or, for `abort`, aborts.
 */
#include "unprepared.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY_LIMIT 1024
#define MAX_RUNTIMES 4
#define DESTRUCTORS 4
#define MAX_OTHERS 50 /* objects of a runtime beside its many buffers */

static const char *directory;
static bool aborts;
static unprepared_object_t *destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the number of its callbacks */
static pthread_cond_t callback_ran = PTHREAD_COND_INITIALIZER;

static void stop_as(const char *stop)
{
    char line[16];
    truth_leave_out_reservations();
    unprepared_truth_write(directory, stop);
    if (aborts) {
        /* A runtime may have a handler that comes back. */
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    puts(stop);
    fflush(stdout);
    truth_require(fgets(line, sizeof(line), stdin) != NULL, "nobody to wait for");
    truth_stop(stop);
}

static void in_destructor(cl_mem memory, void *user_data)
{
    char stop[16];
    truth_require(destroyed->handle == memory, "a callback of another object runs");
    truth_require((size_t)user_data == destroyed->destructors_data + destroyed->destructors - 1,
                  "destructor callbacks run out of order");
    snprintf(stop, sizeof(stop), "callback%zu", DESTRUCTORS - destroyed->destructors + 1);
    stop_as(stop);
    pthread_mutex_lock(&lock);
    destroyed->destructors--;
    pthread_cond_signal(&callback_ran);
    pthread_mutex_unlock(&lock);
}

/* A runtime may call them later, on its own thread. */
static void wait_for_callbacks(void)
{
    pthread_mutex_lock(&lock);
    while (destroyed->destructors != 0)
        pthread_cond_wait(&callback_ran, &lock);
    pthread_mutex_unlock(&lock);
}

static void destroy(unprepared_object_t *object)
{
    destroyed = object;
    destroyed->references = 0;
    destroyed->is_destroying = true;
    unprepared_in_destructor = in_destructor;
    clReleaseMemObject((cl_mem)destroyed->handle);
    wait_for_callbacks();
    unprepared_in_destructor = NULL;
    destroyed->is_gone = true;
    stop_as("destroyed");
}

static void copy(const unprepared_object_t *object, size_t before)
{
    static char fixed[COPY_LIMIT] __attribute__((aligned(16)));
    char *from = (char *)object->handle - before;
    size_t bytes = malloc_usable_size(from);
    truth_require(bytes <= COPY_LIMIT && before < bytes, "the object has no such size");
    for (int i = 0; i < 6; i++) {
        char *to = i == 0 ? fixed : malloc(bytes);
        truth_require(to != NULL, "no memory");
        memcpy(to, from, bytes);
        unprepared_copy_add(object->handle, to + before);
    }
}

int main(int argc, char **argv)
{
    runtime_t runtimes[MAX_RUNTIMES];
    unprepared_object_t *first = NULL;
    unprepared_object_t *last = NULL;
    truth_require(argc >= 4, "usage: unprepared DIRECTORY BUFFERS none|second|half [MODE]");
    directory = argv[1];
    const unprepared_plan_t plan = {.buffers = (size_t)atol(argv[2]), .pattern = argv[3]};
    const char *mode = argc > 4 ? argv[4] : "";
    size_t count = runtime_find_all(runtimes, MAX_RUNTIMES);
    unprepared_truth_begin(count * (plan.buffers + MAX_OTHERS));
    for (size_t i = 0; i < count; i++) {
        first = unprepared_population_create(&runtimes[i], &plan);
        last = unprepared_buffer_add((cl_context)first->context, 777, DESTRUCTORS);
    }
    if (strcmp(mode, "copy") == 0 && argc == 6)
        copy(first, (size_t)atol(argv[5]));
    aborts = strcmp(mode, "abort") == 0;
    stop_as("main");
    if (strcmp(mode, "destroy") == 0)
        destroy(last);
    /* The runtimes' own exit handlers are not part of the test. */
    _exit(0);
}
