/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From records of memory objects, SVM allocations, and what ends them, to rows. The decoder has run
 * before. */
#ifndef LIBOMPD_RECORDER_MEMORY_ROWS_H
#define LIBOMPD_RECORDER_MEMORY_ROWS_H

#include "rows/recorder-fields.h"

/* Make *KIND, a cl_mem_object_type (OpenCL 3.0 section 5.5.5), an ompd_cl_memobj_kind_t: a buffer
 * with a parent is a sub-buffer. */
void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind);

/* Complete INFO, whose record has INDEX. */
void recorder_memobj_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_memobj_info_t *info);
/* The state of a callback that is never called is not applicable. */
void recorder_callback_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_callback_info_t *info);

void recorder_destructor_finish(struct recorder_fields *fields, uint32_t index,
                                ompd_cl_destructor_info_t *info);
void recorder_svm_finish(struct recorder_fields *fields, uint32_t index, ompd_cl_svm_info_t *info);
void recorder_svm_free_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_svm_free_info_t *info);

#endif
