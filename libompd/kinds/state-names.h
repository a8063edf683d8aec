/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* States that rows of several kinds have, by name: lines for the tables of names of these kinds. */
#ifndef LIBOMPD_STATE_NAMES_H
#define LIBOMPD_STATE_NAMES_H

#include <ompd-opencl.h>

/* clang-format off */
/* What a thread does. */
#define THREAD_STATES                                                                              \
    {ompd_cl_state_outside, "outside", "in no OpenCL call and no callback"},                       \
    {ompd_cl_state_in_call, "in-call", "in an OpenCL call that does not wait"},                    \
    {ompd_cl_state_waits_for_queue, "waits-for-queue", "in clFinish"},                             \
    {ompd_cl_state_waits_for_events, "waits-for-events", "in clWaitForEvents"},                    \
    {ompd_cl_state_waits_for_transfer, "waits-for-transfer",                                       \
     "in a blocking read, write, map, copy or free"},                                              \
    {ompd_cl_state_builds, "builds", "builds, compiles or links a program"},                       \
    {ompd_cl_state_runs_destructor, "runs-destructor", "in a destructor callback of the program"}, \
    {ompd_cl_state_runs_svm_free, "runs-svm-free", "in the function given to clEnqueueSVMFree"},   \
    {ompd_cl_state_runs_callback, "runs-callback", "in a callback of the program"},                \
    {ompd_cl_state_runs_event_callback, "runs-event-callback",                                     \
     "in the function given to clSetEventCallback"},                                               \
    {ompd_cl_state_runs_build_callback, "runs-build-callback",                                     \
     "in the function given to clBuildProgram or the like"}

/* How far an event has come that has not ended. */
#define EVENT_STATES                                                                               \
    {ompd_cl_state_unset, "unset", "a user event whose status nobody has set"},                    \
    {ompd_cl_state_enqueued, "enqueued", "is not known to have begun or ended"},                   \
    {ompd_cl_state_queued, "queued", "has not been submitted to its device"},                      \
    {ompd_cl_state_submitted, "submitted", "has been submitted to its device"},                    \
    {ompd_cl_state_running, "running", "its device runs it"}

#define STATE_BEING_ENQUEUED                                                                       \
    {ompd_cl_state_being_enqueued, "being-enqueued", "the call that enqueues it has not returned"}

/* Of a function of the program. */
#define STATE_LEFT                                                                                 \
    {ompd_cl_state_left, "left",                                                                   \
     "was called and left without returning: by longjmp, an exception or the end of its thread"}

/* How a command or event has ended. */
#define ENDED_STATES                                                                               \
    {ompd_cl_state_ended, "ended", "is over, with or without an error"},                           \
    {ompd_cl_state_done, "complete", "ended without an error"},                                    \
    {ompd_cl_state_failed, "failed", "ended with an error"}
/* clang-format on */

#endif
