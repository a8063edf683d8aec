/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the recorder knows, by their ids. */
#ifndef LIBOMPD_RECORDED_OBJECT_H
#define LIBOMPD_RECORDED_OBJECT_H

#include "session/address-space.h"
#include "session/identifier.h"

/* Say that an id was not given out for the kind of object that is asked about.  Returns
 * ompd_rc_bad_input. */
ompd_rc_t recorded_object_refuse_id(struct address_space *space);

/* Look at the record of object ID of KIND, once the registry is open: its id taken apart and its
 * record, which stays while other memory is read.  Returns ompd_rc_ok; ompd_rc_bad_input or
 * ompd_rc_stale_handle with a sentence; ompd_rc_incomplete when it cannot be read; ompd_rc_nomem.
 */
ompd_rc_t recorded_object_view(struct address_space *space, uint32_t kind, uint64_t id,
                               struct identifier *identifier, const uint8_t **record);

#endif
