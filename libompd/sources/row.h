/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What can be done with a row of any kind by its description alone. */
#ifndef LIBOMPD_ROW_H
#define LIBOMPD_ROW_H

#include "sources/address-space.h"

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
