/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtimes of the target. */
#ifndef LIBOMPD_RUNTIMES_H
#define LIBOMPD_RUNTIMES_H

#include "session/address-space.h"

/* Open the list of runtimes: see ompd_cl_list_open. */
ompd_rc_t runtime_list_open(struct address_space *space, ompd_cl_list_t *id);

#endif
