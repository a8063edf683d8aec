/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program can see of OpenCL, printed so that two runs can be compared line by line. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include "runtime.h"

typedef struct observed_t {
    runtime_t runtime;
    cl_context context;
    cl_command_queue queue;
} observed_t;

/* Print WHAT and VALUE on a line. */
void observe(const char *what, long long value);

void observe_reference_count(const char *what, cl_mem memory);
void observe_context_references(const char *what, cl_context context);

/* Order, arguments and threads of callbacks. */
void observe_destructors(observed_t *observed);
void observe_context_destructors(observed_t *observed);
void observe_svm_frees(observed_t *observed);

#endif
