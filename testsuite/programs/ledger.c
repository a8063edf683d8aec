/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Retains and releases objects: ledger [abort].
 *
 * Writes a line of JSON for each creation, retain and release, in order: the object, the action,
 * the source line, the thread, and the references after it.  Then it comes to truth_stop; with the
 * word `abort` it aborts there.
 */
#include "runtime.h"
#include "truth.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct counted_t {
    const char *name;
    const void *handle;
    int references;
} counted_t;

static runtime_t runtime;
static cl_context context;

static void tell(counted_t *object, const char *action, int line, int more)
{
    object->references += more;
    printf("{\"name\": \"%s\", \"handle\": \"%p\", \"action\": \"%s\", \"line\": %d, "
           "\"lwp\": %d, \"references\": %d}\n",
           object->name, object->handle, action, line, (int)gettid(), object->references);
}

#define CREATE(object, call)                                                                       \
    ((object).handle = (call), truth_require((object).handle != NULL, "no object"),                \
     tell(&(object), "created", __LINE__, 1))
#define RETAIN(object, call)                                                                       \
    (truth_require((call) == CL_SUCCESS, "not retained"), tell(&(object), "retained", __LINE__, 1))
#define RELEASE(object, call)                                                                      \
    (truth_require((call) == CL_SUCCESS, "not released"), tell(&(object), "released", __LINE__, -1))

/* An event with a reference that is never released. */
static counted_t kept = {.name = "kept"};

__attribute__((noinline)) static void keep(void)
{
    RETAIN(kept, clRetainEvent((cl_event)kept.handle));
}

static void *keep_elsewhere(void *argument)
{
    keep();
    return argument;
}

static void event(void)
{
    pthread_t thread;

    CREATE(kept, clCreateUserEvent(context, NULL));
    for (int i = 0; i < 2; i++)
        keep();
    truth_require(pthread_create(&thread, NULL, keep_elsewhere, NULL) == 0, "no thread");
    truth_require(pthread_join(thread, NULL) == 0, "no end of a thread");
    for (int i = 0; i < 3; i++)
        RELEASE(kept, clReleaseEvent((cl_event)kept.handle));
}

/* A buffer whose references add up. */
static void buffer(void)
{
    counted_t gone = {.name = "gone"};

    CREATE(gone, clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL));
    RETAIN(gone, clRetainMemObject((cl_mem)gone.handle));
    RELEASE(gone, clReleaseMemObject((cl_mem)gone.handle));
    RELEASE(gone, clReleaseMemObject((cl_mem)gone.handle));
}

/* A call that every runtime refuses, and the last one. */
static void calls(void)
{
    cl_int status = clWaitForEvents(0, NULL);

    printf("{\"call\": \"clWaitForEvents\", \"error\": %d, \"line\": %d, \"lwp\": %d}\n", status,
           __LINE__ - 3, (int)getpid());
    status =
        clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(cl_uint), &(cl_uint){0}, NULL);
    printf("{\"call\": \"clGetContextInfo\", \"error\": %d, \"line\": %d, \"lwp\": %d}\n", status,
           __LINE__ - 2, (int)getpid());
}

int main(int argc, char **argv)
{
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    event();
    buffer();
    calls();
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    truth_stop("ledger");
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
