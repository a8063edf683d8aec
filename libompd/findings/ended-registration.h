/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Destructor callbacks of memory objects that are gone. */
#ifndef LIBOMPD_ENDED_REGISTRATION_H
#define LIBOMPD_ENDED_REGISTRATION_H

#include "findings/taking.h"

/* What other_registration_add() does, of memory objects that are gone: these were there together
 * with the one of FINDING. */
ompd_rc_t ended_registration_add(struct taking *taking, ompd_cl_finding_info_t *finding);

#endif
