/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Advice in sentences that the process cannot follow. */
#ifndef LIBOMPD_ADVICE_H
#define LIBOMPD_ADVICE_H

#include "session/address-space.h"

/* Where MESSAGE says to run the program under the recorder, but a runtime of SPACE takes the place
 * of the OpenCL loader, which would load that, have it say so instead. */
void advice_settle(const struct address_space *space, struct message *message);

#endif
