/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This process as a target of the library's: what is learned is read as the library reads it. */
#ifndef OMPD_LEARN_OWN_TARGET_H
#define OMPD_LEARN_OWN_TARGET_H

#include <libompd/target/target.h>

/* The target, of which nothing is kept that was read before.  NULL: the library refuses it. */
struct target *own_target(void);

#endif
