/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs, and how they are built. */
#ifndef RECORDER_PROGRAM_H
#define RECORDER_PROGRAM_H

#include <CL/cl.h>

#include "object.h"

/* PROGRAM, which may be NULL, was made in CONTEXT. */
void recorder_program_created(cl_program program, cl_context context, const void *return_address);

/* A link, whose call has returned STATUS, has made PROGRAM, which may be NULL.  MAY_GO_ON: the call
 * may have only begun it. */
void recorder_program_linked(cl_program program, cl_context context, const char *options,
                             cl_int status, bool may_go_on, const void *return_address);

/* A build, and how the program was before it. */
struct recorder_build {
    struct recorder_entry program; /* without object where it is not recorded */
    uint64_t run_before;
    int32_t error_before;
    char options_before[OMPD_CL_REGISTRY_TEXT_SIZE];
    char log_before[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/* A build or compilation of the program HANDLE begins, with OPTIONS, or NULL. */
void recorder_build_begin(struct recorder_build *build, cl_program handle, const char *options);

/* Its call has returned STATUS.  MAY_GO_ON: it may have only begun it. */
void recorder_build_end(const struct recorder_build *build, cl_int status, bool may_go_on);

/* The build status of PROGRAM has been seen to be STATUS. */
void recorder_build_status_seen(cl_program program, cl_build_status status);

/* The build log of PROGRAM has been seen: SIZE bytes of TEXT. */
void recorder_build_log_seen(cl_program program, const char *text, size_t size);

/* A kernel was made of PROGRAM, which is therefore built. */
void recorder_build_proved(const struct recorder_entry *program);

#endif
