/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Destructor callbacks of memory objects, OpenCL contexts and programs.
 *
 * The program's function is registered with the runtime in the form of a trampoline whose user data
 * names a slot of the callback table.  Nothing is registered that the program did not register.
 */
#ifndef RECORDER_CALLBACK_H
#define RECORDER_CALLBACK_H

#include "object.h"

/* A callback's slot, in a form that fits user data. */
struct recorder_callback {
    struct recorder_heap *heap;
    uint32_t index; /* RECORDER_NO_SLOT: there is none, register the program's own function */
    uint32_t generation;
};

/* Put a callback on the list of ENTRY's object, newest first. */
struct recorder_callback recorder_callback_push(struct recorder_entry *entry, const void *function,
                                                const void *user_data, struct recorder_site site);

/* The runtime refused the registration: take it off again. */
void recorder_callback_withdraw(struct recorder_entry *entry, struct recorder_callback callback);

/* What to give the runtime as user data. */
void *recorder_callback_user_data(struct recorder_callback callback);

/* Run the program's function that USER_DATA names, for HANDLE: all trampolines end up here.  (The
 * functions of the three kinds of objects differ only in what type of pointer the handle is.) */
void recorder_callback_run(void *handle, void *user_data);

/* The object ends: so do its callbacks. */
void recorder_callbacks_end(struct recorder_entry *entry);

#endif
