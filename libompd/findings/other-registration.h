/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks that were registered more than once with the same user data. */
#ifndef LIBOMPD_OTHER_REGISTRATION_H
#define LIBOMPD_OTHER_REGISTRATION_H

#include "findings/taking.h"

/*
 * Name in FINDING, of a destructor callback whose function and user data, its `address`, are there,
 * another registration of both that has been called: for the same object, or for another that was
 * there together with it.  Returns ompd_rc_ok, also where there is none; or why it could not go on.
 */
ompd_rc_t other_registration_add(struct taking *taking, ompd_cl_finding_info_t *finding);

#endif
