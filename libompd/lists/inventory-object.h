/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about one object that layouts find. */
#ifndef LIBOMPD_INVENTORY_OBJECT_H
#define LIBOMPD_INVENTORY_OBJECT_H

#include "session/address-space.h"
#include "session/identifier.h"

/*
 * Find the object of KIND that VALUE, a cl handle or an SVM pointer, names.  Returns ompd_rc_ok
 * with its *ID; ompd_rc_unavailable when there is none; ompd_rc_incomplete with an id of 0 when it
 * may be in memory that could not be read; else as sources_take_inventory.
 */
ompd_rc_t inventory_object_find(struct address_space *space, uint32_t kind, uint64_t value,
                                uint64_t *id);

/* Fill INFO of KIND with what IDENTIFIER, of what a layout shows, names.  Returns as
 * layout_row_fill; ompd_rc_stale_handle when there is no such object any more; else as
 * sources_take_inventory. */
ompd_rc_t inventory_object_get(struct address_space *space, struct identifier identifier,
                               void *info);

/* Tell whether there is what IDENTIFIER names: ompd_rc_ok, or else as above.  Where memory is
 * missing, it may be in it, which a list of what belongs to it says. */
ompd_rc_t inventory_object_check(struct address_space *space, struct identifier identifier);

/* Open the list of rows of KIND that belong to what IDENTIFIER names.  Returns likewise. */
ompd_rc_t inventory_object_open(struct address_space *space, struct identifier identifier,
                                uint32_t kind, ompd_cl_list_t *list);

#endif
