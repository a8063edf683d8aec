/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From records of programs, kernels and samplers to rows. The decoder has run before. */
#ifndef LIBOMPD_RECORDER_PROGRAM_ROWS_H
#define LIBOMPD_RECORDER_PROGRAM_ROWS_H

#include "rows/recorder-fields.h"

/* Complete INFO, whose record has INDEX. */
void recorder_program_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_program_info_t *info);
void recorder_kernel_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_kernel_info_t *info);
void recorder_sampler_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_sampler_info_t *info);

#endif
