/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an argument in a record, of a kernel or of a command that runs one, to a row. */
#ifndef LIBOMPD_ARGUMENT_ROWS_H
#define LIBOMPD_ARGUMENT_ROWS_H

#include "registry/registry.h"
#include "session/address-space.h"

/* An argument as the recorder has it: one of the words of ompd_cl_registry_field_argument_forms,
 * and the number beside it. */
struct argument {
    uint32_t number; /* from 0 */
    uint32_t form;
    uint64_t value;
    uint64_t order; /* of the command; what was made later is not meant.  UINT64_MAX: of a kernel */
};

/* Where the arguments are that were asked for last: those of a record that has no room for them are
 * in a chain of blocks. */
struct argument_cursor {
    uint32_t block; /* index plus 1; 0: in the record */
    uint32_t first; /* number of the block's first argument */
};

/* How many of COUNT arguments may be found for a record of TABLE: all, or those that it has room
 * for where this recorder keeps no others. */
uint64_t argument_limit(const struct registry *registry, const struct registry_table *table,
                        uint64_t count);

/*
 * Have argument NUMBER of RECORD of TABLE, which is in no window, in *ARGUMENT.  *CURSOR is zero at
 * first; numbers never go down.
 * Returns ompd_rc_ok; ompd_rc_unavailable when the recorder had no memory for it; ompd_rc_error
 * when the chain of blocks cannot be so; ompd_rc_nomem; ompd_rc_incomplete when memory could not be
 * read.
 */
ompd_rc_t argument_find(struct registry *registry, const struct registry_table *table,
                        const uint8_t *record, uint32_t number, struct argument_cursor *cursor,
                        struct argument *argument);

/* Fill INFO from ARGUMENT.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read,
 * or cannot be; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t argument_row_fill(struct address_space *space, const struct argument *argument,
                            ompd_cl_argument_info_t *info);

#endif
