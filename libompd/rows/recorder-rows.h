/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a record of the registry to an info struct. */
#ifndef LIBOMPD_RECORDER_ROWS_H
#define LIBOMPD_RECORDER_ROWS_H

#include "kinds/record-decoder.h"
#include "session/address-space.h"

/* Make *KIND, a cl_mem_object_type (OpenCL 3.0 section 5.5.5), an ompd_cl_memobj_kind_t: a buffer
 * with a parent is a sub-buffer. */
void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind);

/*
 * Fill INFO, the info struct of KIND but for its struct_size, from RECORD of index INDEX, which
 * must stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read; ompd_rc_nomem.
 */
ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info);

#endif
