/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a call or callback that a stack shows was presumably given: a number that the code tells is
 * taken for an object only where there is one of a kind that the function wants.
 */
#ifndef LIBOMPD_GIVEN_HANDLES_H
#define LIBOMPD_GIVEN_HANDLES_H

#include "session/address-space.h"
#include "session/kept-threads.h"

/* The events that clWaitForEvents was given. */
struct given_events {
    uint64_t list; /* where they are */
    uint32_t count;
};

/* Find the object that ACTIVITY waits for or works on, in *HANDLE.  False: it is not known. */
bool given_handle_find(struct address_space *space, const struct found_activity *activity,
                       uint64_t *handle);

/* Tell what kind of object ACTIVITY, a callback of the program, is called for, by its first
 * argument, which is then in *HANDLE: LAYOUT_KIND_COUNT where that is not known. */
enum layout_kind given_callback_kind(struct address_space *space,
                                     const struct found_activity *activity, uint64_t *handle);

/* The user data of ACTIVITY, a callback for an object of KIND, in *USER_DATA.  False: it is not
 * known. */
bool given_user_data_find(const struct found_activity *activity, enum layout_kind kind,
                          uint64_t *user_data);

/* Find the events that ACTIVITY waits for, of which *HANDLE gets the first that is not known to be
 * over.  False: they are not known. */
bool given_events_find(struct address_space *space, const struct found_activity *activity,
                       struct given_events *events, uint64_t *handle);

/* Tell whether ACTIVITY, of a call that may wait for the device, was presumably told to. */
bool given_is_blocking(const struct found_activity *activity);

#endif
