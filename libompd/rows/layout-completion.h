/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a layout adds to rows that the recorder gave. */
#ifndef LIBOMPD_LAYOUT_COMPLETION_H
#define LIBOMPD_LAYOUT_COMPLETION_H

#include "discovery/inventory.h"
#include "kinds/blank.h"
#include "session/address-space.h"

/* The handle of INFO of KIND, whose objects have references; *FOUND gets what a layout calls what
 * it is of. */
uint64_t layout_row_name(uint32_t kind, const union row *info, enum layout_kind *found);

/* Complete INFO of KIND, which the recorder gave, with what the runtime alone knows.  Returns as
 * layout_row_fill. */
ompd_rc_t layout_row_complete(struct address_space *space, uint32_t kind, void *info);

#endif
