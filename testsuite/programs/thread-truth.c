/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread-truth.h"

#include <dirent.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64
#define MAX_LOOKS 256      /* threads of the runtimes included */
#define MAX_WAIT 600       /* seconds until all threads must be at rest, on a busy machine */
#define TICKS_OF_A_SPIN 10 /* clock ticks that no thread needs from its word to the call */

static thread_truth_t threads[MAX_THREADS];
static size_t thread_count;
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local thread_truth_t *self;
static long long first_at; /* when a thread first reported something */

/* By the clock that advances at ticks, like the recorder's, so that times are comparable. */
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

/* ---- Waiting until the threads are where they stay ------------------------------------------- */

/* A thread of this process as the kernel has it: proc(5). */
typedef struct look_t {
    pid_t lwp;
    char state;             /* 0: it has ended */
    unsigned long ticks;    /* of the clock: its run time */
    unsigned long first;    /* the same when it was seen first */
    unsigned long switches; /* the number of its voluntary context switches */
} look_t;

/* Read a file of thread LWP; false when the thread is not there any more. */
static bool read_file(pid_t lwp, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%ld/%s", (long)lwp, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return length > 0;
}

/* Inspect a thread whose LWP is known. */
static void look_at(look_t *look)
{
    char stat[1024];
    char status[8192];
    unsigned long user = 0;
    unsigned long system = 0;
    look->state = 0;
    if (!read_file(look->lwp, "stat", stat, sizeof(stat)) ||
        !read_file(look->lwp, "status", status, sizeof(status)))
        return;
    const char *behind_name = strrchr(stat, ')');
    truth_require(behind_name != NULL, "no state of a thread");
    int count = sscanf(behind_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                       &user, &system);
    const char *state = strstr(status, "\nState:");
    const char *switches = strstr(status, "\nvoluntary_ctxt_switches:");
    truth_require(count == 2 && state != NULL && switches != NULL, "no state of a thread");
    look->ticks = user + system;
    count = sscanf(state, " State: %c", &look->state);
    count += sscanf(switches, " voluntary_ctxt_switches: %lu", &look->switches);
    truth_require(count == 2, "no state of a thread");
}

/* Whether LOOK is of a thread that has ended, or that has run so long that it will not wait. */
static bool is_over(const look_t *look)
{
    return look->state == 0 || look->state == 'Z' || look->state == 'X' ||
           look->ticks - look->first >= TICKS_OF_A_SPIN;
}

/* Inspect all other threads, after the COUNT LOOKS of before; returns their current number. */
static size_t look_at_all(look_t *looks, size_t count)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    truth_require(tasks != NULL, "no threads");
    while ((entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);
        size_t i = 0;
        while (i < count && looks[i].lwp != lwp)
            i++;
        if (i < count || lwp == 0 || lwp == gettid())
            continue;
        truth_require(count < MAX_LOOKS, "too many threads");
        looks[count].lwp = lwp;
        look_at(&looks[count]);
        looks[count].first = looks[count].ticks;
        count++;
    }
    closedir(tasks);
    return count;
}

/* Whether each of the COUNT threads sleeps, and did so when LOOKS were written: all of them slept
 * at the moment between, so that none can wake another. */
static bool all_rest(look_t *looks, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        const look_t before = looks[i];
        look_at(&looks[i]);
        bool sleeps = looks[i].state == 'S' && before.state == 'S';
        all &= is_over(&looks[i]) || (sleeps && looks[i].switches == before.switches);
    }
    return all;
}

void thread_truth_wait_all(void)
{
    static look_t looks[MAX_LOOKS];
    time_t begin = time(NULL);
    size_t count = 0;
    size_t before;
    do {
        truth_require(time(NULL) - begin < MAX_WAIT, "a thread never came to wait");
        sched_yield();
        before = count;
        count = look_at_all(looks, count);
    } while (!all_rest(looks, count) || count != before);
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
