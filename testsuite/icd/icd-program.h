/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program on the vendor library of the test suite, with the expected values of its objects. */
#ifndef ICD_PROGRAM_H
#define ICD_PROGRAM_H

#include "icd.h"
#include "truth.h"

typedef struct icd_program_t {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    truth_row_t *context_row;
    truth_row_t *queue_row;
} icd_program_t;

/* Write the truth to the file named by STOP and stop. */
void icd_program_stop(const char *stop);

truth_row_t *icd_memobj_add(icd_program_t *program, const char *kind, cl_mem memory,
                            cl_mem_flags flags, size_t size);
void icd_destructors_register(truth_row_t *row, const char *stop);

/* Make what the core API offers beyond the runtimes at hand, and what fails. */
void icd_core_create(icd_program_t *program);
void icd_failures_create(icd_program_t *program);

/* Make what vendor extensions offer. */
void icd_extensions_create(icd_program_t *program);

/* Enqueue an SVM free whose callback stops the program. */
void icd_svm_free_enqueue(icd_program_t *program, cl_event gate);

#endif
