/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What commands wait for, as layouts tell it. */
#ifndef LIBOMPD_WAIT_LISTS_H
#define LIBOMPD_WAIT_LISTS_H

#include "waits/wait-graph.h"

/* Tell whether the layouts of all runtimes that have objects tell it. */
bool wait_lists_are_told(const struct address_space *space);

/* Let the events of GRAPH whose commands have not begun, and those that these lead to, know the
 * events of their wait lists.  No other edges were added to them. */
ompd_rc_t wait_lists_link(struct wait_graph *graph);

#endif
