/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a text is a layout, and if not, why: the library says so of an address space only. */
#ifndef OMPD_HOST_LAYOUT_CHECK_H
#define OMPD_HOST_LAYOUT_CHECK_H

#include <host/base.h>

/* Make an address space of no target; NULL: there is no memory. */
ompd_address_space_handle_t *layout_check_begin(void);

/* Put in *FAULT one sentence that says why TEXT is no layout, owned by the caller; NULL: it is one.
 * Returns ompd_host_rc_ok or ompd_host_rc_nomem. */
ompd_host_rc_t layout_check(ompd_address_space_handle_t *space, const char *text, size_t size,
                            char **fault);

#endif
