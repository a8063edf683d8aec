/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the recorder's records, completed with what other records and layouts tell. */
#ifndef LIBOMPD_RECORDED_ROW_H
#define LIBOMPD_RECORDED_ROW_H

#include "kinds/blank.h"
#include "lists/list.h"

/* Make a row of RECORD, of index INDEX, and give it.  RECORD is to stay while other memory is read.
 */
ompd_rc_t list_row_give(struct address_space *space, const struct list *list, struct batch *batch,
                        const uint8_t *record, uint32_t index);

/* Set what records of other objects tell of ROW of KIND, which is otherwise complete.  Returns
 * ompd_rc_ok; ompd_rc_incomplete when some could not be looked at; ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t row_settle(struct address_space *space, uint32_t kind, union row *row);

#endif
