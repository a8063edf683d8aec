/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/process/process.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct tracer {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*function)(void *argument); /* to run; NULL: none */
    void *argument;
    bool is_ending;
};

static void *tracer_loop(void *user)
{
    struct tracer *tracer = user;

    pthread_mutex_lock(&tracer->mutex);
    while (!tracer->is_ending) {
        if (tracer->function != NULL) {
            tracer->function(tracer->argument);
            tracer->function = NULL;
            pthread_cond_broadcast(&tracer->changed);
        }
        if (!tracer->is_ending)
            pthread_cond_wait(&tracer->changed, &tracer->mutex);
    }
    pthread_mutex_unlock(&tracer->mutex);
    return NULL;
}

/* Signals of the tool are for its own threads. */
static bool start_thread(struct tracer *tracer)
{
    sigset_t all;
    sigset_t before;
    bool is_started;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    is_started = pthread_create(&tracer->thread, NULL, tracer_loop, tracer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

struct tracer *tracer_start(void)
{
    struct tracer *tracer = calloc(1, sizeof(*tracer));

    if (tracer == NULL)
        return NULL;
    pthread_mutex_init(&tracer->mutex, NULL);
    pthread_cond_init(&tracer->changed, NULL);
    if (start_thread(tracer))
        return tracer;
    pthread_cond_destroy(&tracer->changed);
    pthread_mutex_destroy(&tracer->mutex);
    free(tracer);
    return NULL;
}

void tracer_run(struct tracer *tracer, void (*function)(void *argument), void *argument)
{
    pthread_mutex_lock(&tracer->mutex);
    tracer->function = function;
    tracer->argument = argument;
    pthread_cond_broadcast(&tracer->changed);
    while (tracer->function != NULL)
        pthread_cond_wait(&tracer->changed, &tracer->mutex);
    pthread_mutex_unlock(&tracer->mutex);
}

void tracer_stop(struct tracer *tracer)
{
    pthread_mutex_lock(&tracer->mutex);
    tracer->is_ending = true;
    pthread_cond_broadcast(&tracer->changed);
    pthread_mutex_unlock(&tracer->mutex);
    pthread_join(tracer->thread, NULL);
    pthread_cond_destroy(&tracer->changed);
    pthread_mutex_destroy(&tracer->mutex);
    free(tracer);
}
