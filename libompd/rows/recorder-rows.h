/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a record of the registry to an info struct. */
#ifndef LIBOMPD_RECORDER_ROWS_H
#define LIBOMPD_RECORDER_ROWS_H

#include "kinds/record-decoder.h"
#include "session/address-space.h"

/* Set *VALUE to a fact from the recorder. */
void value_set(ompd_cl_value_t *value, uint64_t number);

/* Set *VALUE to none, for the reason STATUS. */
void value_set_status(ompd_cl_value_t *value, uint16_t status);

/* Make *KIND, a cl_mem_object_type (OpenCL 3.0 section 5.5.5), an ompd_cl_memobj_kind_t: a buffer
 * with a parent is a sub-buffer. */
void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind);

/* Set the fields of INFO that only images have to none, for the reason STATUS. */
void row_set_image(ompd_cl_memobj_info_t *info, uint16_t status);

/*
 * Fill INFO, the info struct of KIND but for its struct_size, from RECORD of index INDEX, which
 * must stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read; ompd_rc_nomem.
 */
ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info);

/* Fill INFO with STATUS in every field, for a record that cannot be read. */
void row_fill_status(uint32_t kind, void *info, uint16_t status);

/* Tell whether INFO of KIND meets FILTER, or may. */
bool row_passes(uint32_t kind, const void *info, const ompd_cl_filter_t *filter);

/* Tell whether STRUCT_SIZE, as a tool gave it, can be of rows of KIND. */
bool row_size_is_good(uint32_t kind, ompd_size_t struct_size);

/* Check INFO, a tool's info struct of KIND, and read its *STRUCT_SIZE.  Returns ompd_rc_ok or
 * ompd_rc_bad_input. */
ompd_rc_t row_check(struct address_space *space, uint32_t kind, const void *info,
                    ompd_size_t *struct_size);

/* Copy INFO of KIND to the tool's ROW of STRUCT_SIZE bytes. */
void row_give(uint32_t kind, const void *info, void *row, ompd_size_t struct_size);

#endif
