/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The vectors of display control variables that a tool has not released. */
#ifndef LIBOMPD_OMPD_DISPLAY_H
#define LIBOMPD_OMPD_DISPLAY_H

#include "session/address-space.h"

/* Forget those of SPACE, whose memory is given back with all of its own. */
void display_forget(struct address_space *space);

#endif
