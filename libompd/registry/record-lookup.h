/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finding a record by what it says. */
#ifndef LIBOMPD_RECORD_LOOKUP_H
#define LIBOMPD_RECORD_LOOKUP_H

#include "registry/registry.h"

/*
 * Find the record of TABLE_ID that HANDLE names.  Returns ompd_rc_ok with its *INDEX and
 * *GENERATION; ompd_rc_unavailable when there is none; ompd_rc_incomplete when it may be in memory
 * that cannot be read; ompd_rc_error or ompd_rc_nomem.
 */
ompd_rc_t record_find(struct registry *registry, uint32_t table_id, uint64_t handle,
                      uint32_t *index, uint32_t *generation);

/* The same by the recorder's hash table alone.  Returns ompd_rc_error or ompd_rc_incomplete when it
 * cannot tell. */
ompd_rc_t record_find_hashed(struct registry *registry, uint32_t table_id, uint64_t handle,
                             uint32_t *index);

/* The same as record_find of the record whose FIELD is VALUE, by looking through all of the table.
 */
ompd_rc_t record_find_by_field(struct registry *registry, uint32_t table_id,
                               enum ompd_cl_registry_field_id field, uint64_t value,
                               uint32_t *index, uint32_t *generation);

#endif
