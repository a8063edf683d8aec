/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A walk over the recorder's records in which other memory may be read. */
#ifndef LIBOMPD_RECORD_WALK_H
#define LIBOMPD_RECORD_WALK_H

#include "lists/list.h"
#include "session/address-space.h"

/* Looks at RECORD, of index INDEX, which stays while other memory is read.  Anything but
 * ompd_rc_ok ends the walk, which the record is then still the next of. */
typedef ompd_rc_t (*record_visit_t)(struct address_space *space, const uint8_t *record,
                                    uint32_t index, void *context);

/* The context of a visit that gives rows: of LIST, into BATCH. */
struct list_giving {
    struct list *list;
    struct batch *batch;
};

/* Let VISIT look at each record of WALK that is there, until BATCH is full; NULL is never full.
 * Returns what VISIT ended the walk with; else as registry_walk_look. */
ompd_rc_t record_walk_visit(struct address_space *space, struct registry_walk *walk,
                            const struct batch *batch, record_visit_t visit, void *context);

#endif
