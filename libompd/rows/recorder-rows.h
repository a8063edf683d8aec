/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a record of the registry to an info struct. */
#ifndef LIBOMPD_RECORDER_ROWS_H
#define LIBOMPD_RECORDER_ROWS_H

#include "kinds/record-decoder.h"
#include "session/address-space.h"

/*
 * Fill INFO, the info struct of KIND but for its struct_size, from RECORD of index INDEX, which
 * must stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read; ompd_rc_nomem.
 */
ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info);

#endif
