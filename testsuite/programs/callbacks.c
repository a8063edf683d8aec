/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Event and build callbacks, some running and some pending:
 * callbacks [abort].
 *
 * Writes a line of JSON for each pending or running callback, as a debugger should show it, and one
 * with the event that the program has released but that its callback keeps alive.  Then it calls
 * truth_stop; with the word `abort` it aborts there.
 */
#include "runtime.h"
#include "truth.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(line, call) ((line) = __LINE__, (call))

static runtime_t runtime;
static cl_context context;

/* A callback that stays in its function until the program ends. */
typedef struct inside_t {
    const void *object;
    pid_t lwp; /* that runs it */
    pid_t registered_by;
    int line;
    sem_t entered;
} inside_t;

static inside_t of_event;
static inside_t of_build;

static void tell(const char *kind, const char *status, const void *object, const char *function,
                 const void *user_data, int line, pid_t registered_by, pid_t running)
{
    printf("{\"kind\": \"%s\", \"status\": \"%s\", \"handle\": \"%p\", \"function\": \"%s\", "
           "\"user_data\": \"%p\", \"state\": \"%s\", \"line\": %d, \"lwp\": %d, "
           "\"running_lwp\": %d}\n",
           kind, status, object, function, user_data, running != 0 ? "running" : "registered", line,
           (int)registered_by, (int)running);
}

static void enter(inside_t *inside)
{
    inside->lwp = gettid();
    sem_post(&inside->entered);
    for (;;)
        pause();
}

/* Posted once for each called callback. */
static sem_t ended;

static void CL_CALLBACK count(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    (void)user_data;
    sem_post(&ended);
}

static void CL_CALLBACK later(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    (void)user_data;
}

static void CL_CALLBACK stay(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    (void)status;
    enter(user_data);
}

static void CL_CALLBACK built(cl_program program, void *user_data)
{
    (void)program;
    enter(user_data);
}

static void CL_CALLBACK built_at_once(cl_program program, void *user_data)
{
    (void)program;
    sem_post(user_data);
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        ;
}

static cl_event user_event(void)
{
    cl_event event = clCreateUserEvent(context, NULL);

    truth_require(event != NULL, "no event");
    return event;
}

/* Some pending ones, one of them of an event that the program has released. */
static void registered(cl_command_queue queue)
{
    cl_event gate = user_event();
    cl_event released;
    cl_event marker;
    int line;

    truth_require(AT(line, clSetEventCallback(gate, CL_COMPLETE, later, &runtime)) == CL_SUCCESS,
                  "no callback");
    tell("event", "complete", gate, "later", &runtime, line, getpid(), 0);
    truth_require(AT(line, clSetEventCallback(gate, CL_COMPLETE, stay, NULL)) == CL_SUCCESS,
                  "no callback");
    tell("event", "complete", gate, "stay", NULL, line, getpid(), 0);
    truth_require(clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker) == CL_SUCCESS, "no marker");
    truth_require(AT(line, clSetEventCallback(marker, CL_RUNNING, later, gate)) == CL_SUCCESS,
                  "no callback");
    tell("event", "running", marker, "later", gate, line, getpid(), 0);
    truth_require(clEnqueueMarkerWithWaitList(queue, 1, &gate, &released) == CL_SUCCESS,
                  "no marker");
    truth_require(AT(line, clSetEventCallback(released, CL_COMPLETE, later, &ended)) == CL_SUCCESS,
                  "no callback");
    tell("event", "complete", released, "later", &ended, line, getpid(), 0);
    truth_require(clReleaseEvent(released) == CL_SUCCESS, "not released");
    printf("{\"released\": \"%p\"}\n", (void *)released);
}

/* Some that have been called, one of an event that is released meanwhile, and some refused. */
static void over(void)
{
    cl_event event = user_event();
    cl_event other = user_event();

    truth_require(sem_init(&ended, 0, 0) == 0, "no semaphore");
    truth_require(clSetEventCallback(event, CL_COMPLETE, count, NULL) == CL_SUCCESS, "no callback");
    truth_require(clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS, "not set");
    wait_for(&ended);
    truth_require(clSetEventCallback(other, CL_COMPLETE, count, NULL) == CL_SUCCESS, "no callback");
    truth_require(clRetainEvent(other) == CL_SUCCESS, "not retained");
    truth_require(clReleaseEvent(other) == CL_SUCCESS, "not released");
    truth_require(clSetUserEventStatus(other, CL_COMPLETE) == CL_SUCCESS, "not set");
    wait_for(&ended);
    truth_require(clReleaseEvent(other) == CL_SUCCESS, "not released");
    printf("{\"over\": \"%p\"}\n", (void *)other);
    truth_require(clSetEventCallback(event, 42, count, NULL) != CL_SUCCESS, "a strange status");
    truth_require(clSetEventCallback(event, CL_COMPLETE, NULL, NULL) != CL_SUCCESS, "no function");
}

static void *set_event(void *event)
{
    truth_require(clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS, "not set");
    return NULL;
}

/* One that a thread is in. */
static void running(void)
{
    cl_event event = user_event();
    pthread_t thread;

    truth_require(sem_init(&of_event.entered, 0, 0) == 0, "no semaphore");
    truth_require(AT(of_event.line, clSetEventCallback(event, CL_COMPLETE, stay, &of_event)) ==
                      CL_SUCCESS,
                  "no callback");
    truth_require(pthread_create(&thread, NULL, set_event, event) == 0, "no thread");
    wait_for(&of_event.entered);
    tell("event", "complete", event, "stay", &of_event, of_event.line, getpid(), of_event.lwp);
}

static cl_program program_of(const char *source)
{
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

    truth_require(program != NULL, "no program");
    return program;
}

static void *build(void *program)
{
    of_build.registered_by = gettid();
    AT(of_build.line, clBuildProgram(program, 0, NULL, "", built, &of_build));
    return NULL;
}

/* A finished build, a failed one, and one whose callback a thread is in. */
static void builds(void)
{
    cl_program program = program_of("kernel void one(global int *word) { word[0] = 1; }");
    cl_program wrong = program_of("#error wrong\n");
    pthread_t thread;
    sem_t called;

    truth_require(sem_init(&called, 0, 0) == 0, "no semaphore");
    truth_require(clBuildProgram(program, 0, NULL, "", built_at_once, &called) == CL_SUCCESS,
                  "not built");
    wait_for(&called);
    clBuildProgram(wrong, 0, NULL, "", built_at_once, &called);
    truth_require(sem_init(&of_build.entered, 0, 0) == 0, "no semaphore");
    truth_require(pthread_create(&thread, NULL, build, program) == 0, "no thread");
    wait_for(&of_build.entered);
    tell("program", "", program, "built", &of_build, of_build.line, of_build.registered_by,
         of_build.lwp);
}

int main(int argc, char **argv)
{
    cl_command_queue queue;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    over();
    registered(queue);
    running();
    builds();
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    truth_stop("callbacks");
    _exit(EXIT_SUCCESS);
}
