/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The last calls that the runtime has refused. */
#ifndef RECORDER_ERROR_H
#define RECORDER_ERROR_H

#include <CL/cl.h>

#include "activity.h"
#include "event.h"

/* An argument of a kernel that is about to be enqueued. */
struct recorder_argument {
    uint64_t kernel;
    uint64_t size; /* of the memory object that it is */
    uint32_t number;
};

/* Keep the last LENGTH errors, as far as there is memory; 0: keep none.  Before the root is
 * published. */
void recorder_errors_prepare(uint32_t length);

/* Errors are kept. */
bool recorder_errors_are_kept(void);

/* The call of ACTIVITY, which returns to RETURN_ADDRESS, has failed with ERROR, 0 where nobody
 * knows.  The `released_` members of OBJECT are who made it fail; NULL: nobody is known. */
void recorder_error_keep(const struct recorder_activity *activity, cl_int error,
                         const struct ompd_cl_registry_object *object, const void *return_address);

/* The call that the thread is in, which returns to RETURN_ADDRESS, is about to do what is wrong:
 * MISTAKE is one of the numbers that the registry has beside errors.  OBJECT is what it works on;
 * its `released_` members are who made that wrong: gave the last reference back, say. */
void recorder_mistake_keep(int32_t mistake, const struct ompd_cl_registry_object *object,
                           const void *return_address);

/* The call uses OBJECT, which has no references left: as NUMBER says, of OMPD_CL_REGISTRY_USED. */
void recorder_use_mistake_keep(uint32_t number, const struct ompd_cl_registry_object *object,
                               const void *return_address);

/* The same of the memory object OBJECT, which is ARGUMENT. */
void recorder_argument_mistake_keep(const struct recorder_argument *argument,
                                    const struct ompd_cl_registry_object *object,
                                    const void *return_address);

/* A command that never runs. */
struct recorder_failed_command {
    const struct recorder_failure *failure; /* why */
    uint32_t what;                          /* the call that has enqueued it */
    uint32_t lwp;
    uint32_t stack;
    uint64_t caller;
};

void recorder_failed_command_keep(const struct recorder_failed_command *command);

#endif
