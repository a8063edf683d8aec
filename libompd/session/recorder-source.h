/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry as a source. */
#ifndef LIBOMPD_RECORDER_SOURCE_H
#define LIBOMPD_RECORDER_SOURCE_H

#include "session/address-space.h"

/* Read the registry's root unless it was read at this stop.  Returns as registry_open. */
ompd_rc_t recorder_source_read(struct address_space *space);

/* The registry, whatever the tool wants: for what it alone can tell.  Looks for it once a stop when
 * there are layouts.  Returns as registry_open. */
ompd_rc_t recorder_source_open(struct address_space *space);

#endif
