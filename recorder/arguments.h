/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The arguments of a kernel, and what they were when a command that runs it was enqueued.
 *
 * The first are in the record itself, more in a chain of blocks, which grows when an argument is
 * set that it has no room for.
 */
#ifndef RECORDER_ARGUMENTS_H
#define RECORDER_ARGUMENTS_H

#include <CL/cl.h>

#include "heap.h"

/* Nobody else knows ARGUMENTS yet: none is set. */
void recorder_arguments_clear(struct ompd_cl_registry_arguments *arguments);

/* Argument INDEX is what clSetKernelArg was given: SIZE bytes at VALUE, or NULL.  Where there is no
 * memory for it, that is counted, and the argument is not kept. */
void recorder_arguments_set(struct recorder_heap *heap,
                            struct ompd_cl_registry_arguments *arguments, cl_uint index,
                            size_t size, const void *value);

/* Argument INDEX is the SVM pointer POINTER. */
void recorder_arguments_set_svm(struct recorder_heap *heap,
                                struct ompd_cl_registry_arguments *arguments, cl_uint index,
                                const void *pointer);

/* Nobody else knows TO yet: have in it what FROM, of a kernel, is now. */
void recorder_arguments_copy(struct recorder_heap *heap, struct ompd_cl_registry_arguments *to,
                             const struct ompd_cl_registry_arguments *from);

/* The record that ARGUMENTS are of has ended: give their blocks back. */
void recorder_arguments_end(struct recorder_heap *heap,
                            const struct ompd_cl_registry_arguments *arguments);

/* Arguments that lie together. */
struct recorder_argument_run {
    const uint32_t *forms;
    const uint64_t *values;
    uint32_t first; /* number of the first, */
    uint32_t count; /* and how many there are */
    uint32_t total; /* arguments that are kept */
    uint32_t next;  /* block that follows, index plus 1 */
};

/* Have the first ones in RUN. */
void recorder_arguments_begin(const struct ompd_cl_registry_arguments *arguments,
                              struct recorder_argument_run *run);

/* Have those in RUN that follow.  False: there are none. */
bool recorder_arguments_next(struct recorder_argument_run *run);

#endif
