/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM and USM allocations. */
#ifndef RECORDER_SVM_H
#define RECORDER_SVM_H

#include <stdint.h>

#include <CL/cl.h>

#include "ompd-opencl-registry.h"

/* What the allocating call tells. */
struct recorder_svm {
    const void *pointer;
    cl_context context;
    enum ompd_cl_registry_svm_type type;
    uint64_t flags;
    uint64_t size;
    uint32_t alignment;
    const void *return_address;
};

void recorder_svm_allocated(const struct recorder_svm *svm);

/* The program is about to free POINTER, which may be NULL.  To be called before the runtime is: the
 * pointer may be another allocation's before that call returns. */
void recorder_svm_freed(const void *pointer, const void *return_address);

/* The program has mapped the allocation at POINTER, or enqueued a command that unmaps it. */
void recorder_svm_mapped(const void *pointer, const void *return_address);
void recorder_svm_unmapped(const void *pointer);

#endif
