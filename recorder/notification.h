/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callbacks of events (clSetEventCallback) and of builds (the `pfn_notify` of clBuildProgram and
 * the like): each is called once, and then its record ends.
 *
 * The program's function is registered with the runtime in the form of a trampoline whose user data
 * names a slot.  Until the callback of a command's event has been called the runtime keeps the
 * event, whoever releases it: the callback counts as a child of the event.  A user event that is
 * released before its status is set is gone, and its callbacks are never called: their slots stay,
 * and are not shown, as their parent is not there.
 */
#ifndef RECORDER_NOTIFICATION_H
#define RECORDER_NOTIFICATION_H

#include <CL/cl.h>

#include "object.h"

/* A callback that is about to be registered. */
struct recorder_notification {
    uint32_t table; /* of HANDLE: that of events or of programs */
    const void *handle;
    cl_int status; /* of an event: the execution status that it is called at */
    const void *function;
    const void *user_data;
    const void *return_address;
};

/* Before the runtime is called.  False where the program's own function is to be registered: there
 * is no function, or no room for its record; else *USER_DATA is to be given to the trampoline. */
bool recorder_notification_begin(struct recorder_entry *entry,
                                 const struct recorder_notification *notification,
                                 void **user_data);

/* The runtime has refused the registration, and will not call it. */
void recorder_notification_withdraw(struct recorder_entry *entry);

/* The build has failed.  Where the runtime has not called the callback it may do so all the same,
 * so that the slot stays, but it is shown no more. */
void recorder_notification_hide(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names: the trampolines. */
void CL_CALLBACK recorder_event_callback_run(cl_event event, cl_int status, void *user_data);
void CL_CALLBACK recorder_build_callback_run(cl_program program, void *user_data);

#endif
