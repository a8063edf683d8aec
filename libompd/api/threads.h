/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What questions about all threads begin with. */
#ifndef LIBOMPD_THREADS_H
#define LIBOMPD_THREADS_H

#include "session/address-space.h"

/* Begin a public function that needs the records of threads.  Also returns ompd_rc_unavailable when
 * the recorder keeps none. */
ompd_rc_t threads_enter(ompd_address_space_handle_t *handle, struct address_space **space);

#endif
