/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events, kernels, programs and samplers, as a layout shows them. */
#ifndef LIBOMPD_LAYOUT_PROGRAM_ROWS_H
#define LIBOMPD_LAYOUT_PROGRAM_ROWS_H

#include "rows/layout-fields.h"

/* Set how far the event of INFO has come to what the runtime says (OpenCL 3.0 section 5.11): its
 * numbers fall from CL_QUEUED, 3, to CL_COMPLETE, 0; an error is below that, in 32 bits. */
void layout_event_set_execution(struct layout_fields *view, ompd_cl_event_info_t *info);

/* Fill INFO, which layout_row_begin has begun, from ITEM, which VIEW is of. */
void layout_event_fill(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_event_info_t *info);
void layout_kernel_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_kernel_info_t *info);
void layout_program_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_program_info_t *info);
void layout_sampler_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_sampler_info_t *info);

#endif
