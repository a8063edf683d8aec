/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which parameters of functions that enqueue a command are objects. */
#ifndef LIBOMPD_ENQUEUE_SIGNATURE_H
#define LIBOMPD_ENQUEUE_SIGNATURE_H

#include "base/export.h"

#include <stdint.h>

/* Parameters by their numbers, from 0; 0: there is none.  The queue is the first. */
struct enqueue_signature {
    uint32_t call;
    uint16_t type; /* cl_command_type */
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t wait_list;
};

/* That of CALL; NULL: it enqueues none, or no command of which these are recorded. */
const struct enqueue_signature *enqueue_signature_find(uint64_t call);

#endif
