/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether what the recorder presumes to be there is, as layouts show it. */
#ifndef LIBOMPD_PRESENCE_H
#define LIBOMPD_PRESENCE_H

#include "kinds/blank.h"
#include "kinds/fields.h"
#include "session/address-space.h"

enum presence {
    presence_unknown, /* layouts do not tell */
    presence_there,
    presence_gone
};

/*
 * Tell of ROW of KIND, made of RECORD, whether the object is there.  The confidence of ROW is set
 * to certain when it is.  Looks through memory unless that was done at this stop.  RECORD is to
 * stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_nomem.
 */
ompd_rc_t presence_settle(struct address_space *space, uint32_t kind, const uint8_t *record,
                          union row *row, enum presence *presence);

/* Tell whether ROW of KIND is one that presence_settle may tell more of. */
bool presence_is_open(uint32_t kind, const union row *row);

#endif
