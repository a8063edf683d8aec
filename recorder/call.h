/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What calls come to: failures are kept, and all of them where the last calls of each thread are.
 */
#ifndef RECORDER_CALL_H
#define RECORDER_CALL_H

#include <CL/cl.h>

#include "activity.h"

/* Keep the last LENGTH calls of each thread, as far as there is memory; 0: keep none.  Before there
 * are threads. */
void recorder_calls_prepare(uint32_t length);

/* Statuses below the one, and calls that made an object up to the other, are to be looked at. */
struct recorder_calls_looked_at {
    cl_int status;
    uintptr_t object;
};
extern struct recorder_calls_looked_at recorder_calls_looked_at
    __attribute__((visibility("hidden")));

/* What the functions below do with calls that are to be looked at. */
void recorder_call_returned(const struct recorder_activity *activity, cl_int status,
                            const void *return_address);
/* The first, of a call that fails because of who the `released_` members of OBJECT are. */
void recorder_call_returned_after(const struct recorder_activity *activity, cl_int status,
                                  const struct ompd_cl_registry_object *object,
                                  const void *return_address);
void recorder_call_made(const struct recorder_activity *activity, const void *object, cl_int error,
                        const void *return_address);

/* STATUS, which the call of ACTIVITY returns, to RETURN_ADDRESS. */
RECORDER_INLINE cl_int recorder_status(const struct recorder_activity *activity, cl_int status,
                                       const void *return_address)
{
    if (RECORDER_UNLIKELY(status < recorder_calls_looked_at.status)) {
        recorder_call_returned(activity, status, return_address);
    }
    return status;
}

/* The call has made OBJECT, or failed when that is NULL.  *ERROR says why, unless that is NULL. */
RECORDER_INLINE void recorder_made(const struct recorder_activity *activity, const void *object,
                                   const cl_int *error, const void *return_address)
{
    if (RECORDER_UNLIKELY((uintptr_t)object <= recorder_calls_looked_at.object)) {
        recorder_call_made(activity, object, error ? *error : 0, return_address);
    }
}

#endif
