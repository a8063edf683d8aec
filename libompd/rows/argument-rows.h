/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an argument in a record, of a kernel or of a command that runs one, to a row. */
#ifndef LIBOMPD_ARGUMENT_ROWS_H
#define LIBOMPD_ARGUMENT_ROWS_H

#include "session/address-space.h"

/* An argument as the recorder has it: one of the words of ompd_cl_registry_field_argument_forms,
 * and the number beside it. */
struct argument {
    uint32_t number; /* from 0 */
    uint32_t form;
    uint64_t value;
    uint64_t order; /* of the command; what was made later is not meant.  UINT64_MAX: of a kernel */
};

/* The arguments that a record of TABLE has room for. */
uint32_t argument_room(const struct registry_table *table);

/* Argument NUMBER in RECORD of TABLE, which has room for it. */
struct argument argument_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number);

/* Fill INFO from ARGUMENT.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read,
 * or cannot be; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t argument_row_fill(struct address_space *space, const struct argument *argument,
                            ompd_cl_argument_info_t *info);

#endif
