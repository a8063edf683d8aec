/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts that the tool gave an address space. */
#ifndef LIBOMPD_LAYOUTS_H
#define LIBOMPD_LAYOUTS_H

#include "session/address-space.h"

/* Give back the layouts of SPACE. */
void layouts_free(struct address_space *space);

#endif
