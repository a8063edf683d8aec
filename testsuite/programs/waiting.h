/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code that the hangs of the program `waiting` share. */
#ifndef WAITING_H
#define WAITING_H

#include "runtime.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct scene_t {
    runtime_t runtime;
    cl_context context;
    cl_command_queue queue;
    cl_command_queue other_queue;
    cl_event gate; /* a user event */
    cl_event other_gate;
    cl_program program;
    bool is_wrong;
    bool is_to_stay;
    bool is_to_wait;
    int gate_line;
    int other_gate_line;
    int line; /* of the call that enqueues the awaited command first */
    int other_line;
    int third_line;
    pid_t other;
    void *lock;
} scene_t;

extern scene_t scene;

/* Two of these on one line: where the call is, in LINE. */
#define AT(line, call) ((line) = __LINE__, (call))

/* COUNT threads are going to wait. */
void expect(size_t count);

/* This thread is about to wait, or to do what never ends. */
void wait_begins(void);

/* Wait for the queue. */
void finish(void);

/* Enqueue a kernel that runs until the end of the test; its event, and the line of the call in
 * *LINE. */
cl_event spin(cl_command_queue queue, int *line);

/* Sets the user event that it is called with. */
void CL_CALLBACK set_event(cl_event event, cl_int status, void *to_be_set);

typedef struct waiting_case_t {
    const char *name;
    void (*run)(void);
} waiting_case_t;

/* Hangs that people have reported; the last has no name. */
extern const waiting_case_t reported_cases[];

#endif
