/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a kernel, and those that it had when a command that runs it was enqueued. */
#ifndef LIBOMPD_ARGUMENT_LIST_H
#define LIBOMPD_ARGUMENT_LIST_H

#include "session/address-space.h"

/* Open the list of the arguments of OBJECT of KIND, a kernel or a command: see
 * ompd_cl_object_list_open. */
ompd_rc_t argument_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                             ompd_cl_list_t *id);

#endif
