/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finding the registry's root, and learning from it where everything is. */
#ifndef LIBOMPD_REGISTRY_ROOT_H
#define LIBOMPD_REGISTRY_ROOT_H

#include "registry/registry.h"

/* Find the root and read it.  To be called at each new stop.
 * Returns ompd_rc_ok, ompd_rc_unavailable, ompd_rc_incompatible, ompd_rc_error,
 * ompd_rc_device_read_error or ompd_rc_nomem. */
ompd_rc_t registry_open(struct registry *registry);

#endif
