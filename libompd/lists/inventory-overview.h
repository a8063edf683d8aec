/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview of what layouts find. */
#ifndef LIBOMPD_INVENTORY_OVERVIEW_H
#define LIBOMPD_INVENTORY_OVERVIEW_H

#include "session/address-space.h"

/* Begin INFO for a target that has no recorder. */
void inventory_overview_begin(struct address_space *space, ompd_cl_overview_info_t *info);

/*
 * Add to the counts of INFO what layouts find beside what the recorder has.  Returns ompd_rc_ok;
 * ompd_rc_incomplete when something could not be read, or the tool cancelled the search: the counts
 * concerned then say so; ompd_rc_nomem.
 */
ompd_rc_t inventory_overview_add(struct address_space *space, ompd_cl_overview_info_t *info);

#endif
