/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mistakes that the target shows at this stop. */
#ifndef LIBOMPD_FINDINGS_H
#define LIBOMPD_FINDINGS_H

#include "session/address-space.h"

/* Open the list of all findings: see ompd_cl_list_open. */
ompd_rc_t finding_list_open(struct address_space *space, ompd_cl_list_t *list);

#endif
