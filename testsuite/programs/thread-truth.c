/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread-truth.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64
#define MAX_WAIT 600       /* seconds until a thread must be inside, on a busy machine */
#define TICKS_OF_A_SPIN 10 /* clock ticks that no thread needs from its word to the call */

static thread_truth_t threads[MAX_THREADS];
static size_t thread_count;
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local thread_truth_t *self;
static long long first_at; /* when a thread said something first */

/* By the clock that goes on at ticks: the same as the recorder's, so that times can be compared. */
static long long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

thread_truth_t *thread_truth_self(void)
{
    if (self != NULL)
        return self;
    pthread_mutex_lock(&threads_lock);
    if (thread_count == 0)
        first_at = milliseconds_now();
    truth_require(thread_count < MAX_THREADS, "too many threads");
    self = &threads[thread_count++];
    pthread_mutex_unlock(&threads_lock);
    self->lwp = gettid();
    self->pthread = pthread_self();
    return self;
}

static thread_activity_t *enter(bool is_call)
{
    thread_truth_t *thread = thread_truth_self();
    if (!thread->has_entered)
        thread->is_caller = is_call;
    thread->has_entered = true;
    truth_require(thread->depth < THREAD_TRUTH_MAX_DEPTH, "too deep");
    thread_activity_t *activity = &thread->activities[thread->depth++];
    memset(activity, 0, sizeof(*activity));
    activity->at = milliseconds_now();
    return activity;
}

void thread_truth_call(const char *state, const char *call, const void *handle)
{
    thread_activity_t *activity = enter(true);
    activity->state = state;
    activity->call = call;
    activity->handle = handle;
}

void thread_truth_callback(const char *state, const void *handle, const char *symbol,
                           const void *function, const void *user_data)
{
    thread_activity_t *activity = enter(false);
    activity->state = state;
    activity->handle = handle;
    activity->symbol = symbol;
    activity->function = function;
    activity->user_data = user_data;
}

void thread_truth_leave(void)
{
    self->depth--;
}

/* The state of a thread as the kernel has it, and the clock ticks that it has run: proc(5). */
static char read_stat(pid_t lwp, unsigned long *ticks)
{
    char path[64];
    char text[1024];
    char state = 0;
    unsigned long user = 0;
    unsigned long system = 0;
    snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", (long)lwp);
    FILE *file = fopen(path, "r");
    truth_require(file != NULL, "a thread is not there");
    size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *behind_name = strrchr(text, ')');
    truth_require(behind_name != NULL, "no state of a thread");
    int count = sscanf(behind_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                       &state, &user, &system);
    truth_require(count == 3, "no state of a thread");
    *ticks = user + system;
    return state;
}

void thread_truth_wait_inside(const thread_truth_t *thread)
{
    struct timespec begin;
    struct timespec now;
    unsigned long first;
    unsigned long ticks;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    read_stat(thread->lwp, &first);
    while (read_stat(thread->lwp, &ticks) != 'S' && ticks - first < TICKS_OF_A_SPIN) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        truth_require(now.tv_sec - begin.tv_sec < MAX_WAIT, "a thread never came to wait");
        sched_yield();
    }
}

void thread_truth_wait_all(void)
{
    for (size_t i = 0; i < thread_count; i++) {
        if (&threads[i] != self && !threads[i].has_ended)
            thread_truth_wait_inside(&threads[i]);
    }
}

static void write_pointer(FILE *file, const char *key, const void *pointer)
{
    fprintf(file, ", \"%s\": \"0x%llx\"", key, (unsigned long long)(uintptr_t)pointer);
}

static void write_activity(FILE *file, const thread_activity_t *activity)
{
    fprintf(file, "{\"state\": \"%s\"", activity->state);
    write_pointer(file, "handle", activity->handle);
    fprintf(file, ", \"at\": %lld", activity->at);
    if (activity->call != NULL) {
        fprintf(file, ", \"call\": \"%s\"", activity->call);
    } else {
        fprintf(file, ", \"symbol\": \"%s\"", activity->symbol);
        write_pointer(file, "function", activity->function);
        write_pointer(file, "user_data", activity->user_data);
    }
    fputc('}', file);
}

static void write_thread(FILE *file, const thread_truth_t *thread)
{
    fprintf(file, "  {\"lwp\": %ld", (long)thread->lwp);
    write_pointer(file, "pthread", (const void *)thread->pthread);
    fprintf(file, ", \"has_entered\": %s", thread->has_entered ? "true" : "false");
    fprintf(file, ", \"is_caller\": %s", thread->is_caller ? "true" : "false");
    fprintf(file, ", \"has_ended\": %s", thread->has_ended ? "true" : "false");
    fprintf(file, ", \"activities\": [");
    for (size_t i = thread->depth; i > 0; i--) {
        write_activity(file, &thread->activities[i - 1]);
        fputs(i > 1 ? ", " : "", file);
    }
    fputs("]}", file);
}

void thread_truth_write(const char *path)
{
    FILE *file = fopen(path, "w");
    truth_require(file != NULL, "cannot write the truth file");
    fprintf(file, "{\"pid\": %ld, \"first_at\": %lld, \"at\": %lld, \"threads\": [\n",
            (long)getpid(), first_at, milliseconds_now());
    for (size_t i = 0; i < thread_count; i++) {
        write_thread(file, &threads[i]);
        fputs(i + 1 < thread_count ? ",\n" : "\n", file);
    }
    fprintf(file, " ]}\n");
    truth_require(fclose(file) == 0, "cannot write the truth file");
}
