/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that create and release objects as fast as they can, and run each other's callbacks. */
#ifndef RECORDER_LOAD_H
#define RECORDER_LOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RECORDER_LOAD_CONTEXT ((void *)(uintptr_t)0x7000)
#define RECORDER_LOAD_OBJECTS 3000

/* The first handle of the thread of this number: those of all its objects fit below the next
 * thread's, and all in 32 bits. */
#define RECORDER_LOAD_FIRST_HANDLE(number) ((uintptr_t)(number) << 20)

struct recorder_load {
    pthread_t thread;
    uintptr_t first_handle; /* each thread's handles are its own */
    uint32_t rounds;        /* 0: until `stop` */
    bool *stop;
    pthread_barrier_t *all_here;     /* which every thread must pass, in its own heap; or NULL */
    uint32_t callbacks_run;          /* of two for each object */
    struct recorder_load *neighbour; /* runs its callbacks; NULL: the thread itself */
    void **slot_refs;                /* what the runtime would hold, 2 for each object */
    uint32_t handed_over;            /* objects whose callbacks the neighbour is to run */
};

/* Make the context that the threads work in. */
void recorder_load_context_create(void);

/* Start a thread; `first_handle`, `rounds`, `stop` and `neighbour` are set. */
void recorder_load_start(struct recorder_load *load);
void recorder_load_join(struct recorder_load *load);

/* To be called when all threads are joined: neighbours use each other's memory. */
void recorder_load_free(struct recorder_load *load);

/* One round in the calling thread. */
void recorder_load_round(struct recorder_load *load);

#endif
