/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the threads counted. */
#ifndef LIBOMPD_USAGE_H
#define LIBOMPD_USAGE_H

#include "session/address-space.h"

/* Open the list of usage, a row a kind: see ompd_cl_list_open. */
ompd_rc_t usage_list_open(struct address_space *space, ompd_cl_list_t *id);

#endif
