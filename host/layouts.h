/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a process does before it is confined, as it cannot later. */
#ifndef OMPD_HOST_LAYOUTS_H
#define OMPD_HOST_LAYOUTS_H

#include <stdbool.h>

/* Read the layouts of this machine, for all later calls.  False: there is no memory. */
bool layouts_keep(void);

#endif
