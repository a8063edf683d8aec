/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The expected values of threads: the OpenCL
 * activity of each thread of a test program, written
 * to a JSON file that a test compares with what the
 * debugger shows. Each thread records its next
 * activity. Nothing here uses the recorder or the
 * library. */
#ifndef THREAD_TRUTH_H
#define THREAD_TRUTH_H

#include "truth.h"

#include <pthread.h>
#include <semaphore.h>

#define THREAD_TRUTH_MAX_DEPTH 32

/* A call or callback that a thread is in. */
typedef struct thread_activity_t {
    const char *state; /* the thread's, if this is the innermost; as the debugger names it */
    const char *call;  /* NULL in a callback */
    const void *handle;
    long long at;       /* when it reported that: milliseconds since 1970, by the clock of ticks */
    const char *symbol; /* of a callback, as the next two */
    const void *function;
    const void *user_data;
} thread_activity_t;

typedef struct thread_truth_t {
    pid_t lwp;
    pthread_t pthread;
    bool has_entered; /* OpenCL; false for threads that never do */
    bool is_caller;   /* it first entered by a call */
    bool has_ended;
    size_t depth;
    thread_activity_t activities[THREAD_TRUTH_MAX_DEPTH]; /* outermost first */
} thread_truth_t;

/* This thread's own; made when it is asked for first. */
thread_truth_t *thread_truth_self(void);

/* This thread is about to call OpenCL, or has returned. */
void thread_truth_call(const char *state, const char *call, const void *handle);
/* OpenCL has called this thread back, or the callback is about to return. */
void thread_truth_callback(const char *state, const void *handle, const char *symbol,
                           const void *function, const void *user_data);
void thread_truth_leave(void);

/* Wait until no other thread of the process is on its way to where it waits, the runtimes' own
 * threads included: until all sleep at one moment, but for those that have used so much processor
 * time meanwhile that they run in a kernel. */
void thread_truth_wait_all(void);

/* Write what all threads do to the file PATH. */
void thread_truth_write(const char *path);

#endif
