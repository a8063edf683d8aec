/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A call of the tool on an address space, and the callbacks that the call makes. */
#include "base/base.h"

bool call_reclaim(struct call *call, const void *frame)
{
    /* The stack grows down: functions called by a callback lie below the function that made it. */
    return atomic_load(&call->thread) == call_thread() &&
           (uintptr_t)frame >= atomic_load(&call->frame);
}
