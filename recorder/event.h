/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events that the program was given. */
#ifndef RECORDER_EVENT_H
#define RECORDER_EVENT_H

#include <CL/cl.h>

#include "command.h"
#include "object.h"
#include "stack.h"

/* COMMAND, of TYPE, gave the program EVENT. */
void recorder_event_created(cl_event event, const struct recorder_command *command,
                            cl_command_type type, const void *return_address);

/* The program made EVENT in CONTEXT, without a queue. */
void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address);

/* EVENT is that of the SVM-free command of ENTRY. */
void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command);

/* EVENT belongs to an SVM-free command that is still recorded. */
bool recorder_event_is_of_svm_free(cl_event event);

/* The program waits for EVENT, by which the commands before it are flushed (OpenCL 3.0
 * clWaitForEvents). */
void recorder_event_flush(cl_event event);

/* EVENT's execution status has been seen to be STATUS. */
void recorder_event_status_seen(cl_event event, cl_int status);

/* EVENT, 0 for none, is of the command whose record is COMMAND, a reference, which never runs: with
 * what status it ends, the runtime has yet to tell. */
void recorder_event_terminated(uint64_t event, uint32_t command);

/* A call of clSetUserEventStatus. */
struct recorder_event_setting {
    struct recorder_entry event; /* `object` NULL: nothing is recorded of it */
    uint64_t run_before;
    bool is_again; /* the program had set it before: its status stays what it was */
    bool is_first; /* it is a user event that is set by this */
};

/* Before the runtime is called: what waits for EVENT may be over before that call returns, to
 * RETURN_ADDRESS. */
struct recorder_event_setting recorder_event_set_begin(cl_event event, cl_int status,
                                                       const void *return_address);

/* The runtime has refused: all is as before. */
void recorder_event_set_withdraw(const struct recorder_event_setting *setting);

/* Tell whether the event had been set before: the `released_` members of *SET get by whom, as far
 * as that is known. */
bool recorder_event_set_again(const struct recorder_event_setting *setting,
                              struct ompd_cl_registry_object *set);

/* What fails, and why: a user event, which the program has set to an error. */
struct recorder_failure {
    uint64_t event;
    cl_int status;
    uint32_t lwp; /* of the thread that has set it */
    struct recorder_site site;
};

/* The runtime has taken that the user event EVENT was set to an error, in the call that returns to
 * RETURN_ADDRESS: have that in FAILURE.  False: the event is gone. */
bool recorder_event_failure_begin(const struct recorder_entry *event,
                                  struct recorder_failure *failure, const void *return_address);

/* Have in FAILURE who set the user event EVENT to an error.  False: nobody has, or is about to. */
bool recorder_event_failure_get(const struct recorder_entry *event,
                                struct recorder_failure *failure);

/* The record of the command of EVENT, a reference, and in *GENERATION its generation; 0: there is
 * none. */
uint32_t recorder_event_command(const struct recorder_entry *event, uint32_t *generation);

/* It is a user event whose status nobody has set: what the program can do no more once it has
 * released it. */
bool recorder_event_is_unset(const struct recorder_entry *event);

#endif
