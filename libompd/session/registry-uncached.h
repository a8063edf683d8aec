/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The registry as it is at this moment, for the functions of OMPD: a tool that knows only OMPD
 * never says that the target ran.  Reads past the cache and no more than is asked for, because a
 * byte costs some tools 3 us, but a symbol lookup costs them 2 ms: where the tables are is kept for
 * as long as the root is that of the same process.
 */
#ifndef LIBOMPD_REGISTRY_UNCACHED_H
#define LIBOMPD_REGISTRY_UNCACHED_H

#include "registry/registry.h"
#include "session/address-space.h"

/* Have at hand where everything is in SPACE's registry.  Returns as registry_open. */
ompd_rc_t uncached_open(struct address_space *space);

/* Read the COUNT FIELDS (enum ompd_cl_registry_field_id) of the record of TABLE at ADDRESS into
 * VALUES, with one read that spans them; those that this recorder does not have are 0.
 * Returns as target_read_now. */
ompd_rc_t uncached_fields(struct address_space *space, const struct registry_table *table,
                          uint64_t address, const uint8_t *fields, unsigned count,
                          uint64_t *values);

/* That memory which the call cannot do without could not be read: ompd_rc_device_read_error. */
ompd_rc_t uncached_unreadable(struct address_space *space);

/* Read the unsigned integer of SIZE bytes at ADDRESS.  Returns ompd_rc_ok or
 * ompd_rc_device_read_error. */
ompd_rc_t uncached_integer(struct address_space *space, uint64_t address, unsigned size,
                           uint64_t *number);

/* The same of MEMBER of a struct TYPE that lies at ADDRESS. */
#define UNCACHED_MEMBER(space, address, type, member, number)                                      \
    uncached_integer(space, (address) + offsetof(struct type, member),                             \
                     sizeof(((struct type *)0)->member), number)

/* Find where record INDEX of TABLE_ID lies.  Returns ompd_rc_ok; ompd_rc_unavailable when there
 * never was such a record; ompd_rc_device_read_error; ompd_rc_error when the table cannot be as it
 * says. */
ompd_rc_t uncached_locate(struct address_space *space, uint32_t table_id, uint32_t index,
                          uint64_t *address);

/* What uncached_visit does with the record at ADDRESS.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * the record cannot be read; any other code to end the walk. */
typedef ompd_rc_t (*uncached_visitor_t)(struct address_space *space, uint64_t address,
                                        void *context);

/*
 * VISIT each record of TABLE_ID that is or was in use; unless TAKES_FREE, those in chunks without
 * live records are left out.  Returns ompd_rc_ok; the code that ended the walk; ompd_rc_unavailable
 * when the recorder has no such table; ompd_rc_error when the table cannot be as it says;
 * ompd_rc_device_read_error when some of it could not be read: as a rule the rest was visited.
 */
ompd_rc_t uncached_visit(struct address_space *space, uint32_t table_id, bool takes_free,
                         uncached_visitor_t visit, void *context);

#endif
