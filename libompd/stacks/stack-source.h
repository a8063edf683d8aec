/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call stacks as a source. */
#ifndef LIBOMPD_STACK_SOURCE_H
#define LIBOMPD_STACK_SOURCE_H

#include "session/address-space.h"
#include "session/kept-threads.h"
#include "session/owner-map.h"

struct stack_source {
    struct kept_threads threads;
    struct owner_map owners;
};

#endif
