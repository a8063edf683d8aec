/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder as one of the target's modules. */
#ifndef LIBOMPD_RECORDER_MODULE_H
#define LIBOMPD_RECORDER_MODULE_H

#include "address-space.h"

/* Look for the recorder among the modules of SPACE, once a stop.  Good until the next. */
const struct recorder_module *recorder_module_find(struct address_space *space);

#endif
