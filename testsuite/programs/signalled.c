/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Waits in clFinish for a user event that the handler of SIGUSR1 sets.  Writes its process ID to
 * the standard output before it waits, and ends when the event is set.
 */
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static cl_event gate;

static void set_gate(int number)
{
    (void)number;
    clSetUserEventStatus(gate, CL_COMPLETE);
}

int main(void)
{
    runtime_t runtime;
    cl_context context;
    cl_command_queue queue;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    gate = clCreateUserEvent(context, NULL);
    truth_require(signal(SIGUSR1, set_gate) != SIG_ERR, "no handler");
    truth_require(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL) == CL_SUCCESS, "no marker");
    printf("%d\n", (int)getpid());
    fflush(stdout);
    truth_require(clFinish(queue) == CL_SUCCESS, "no end");
    return 0;
}
