/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/base.h"

bool call_reclaim(struct call *call, const void *frame)
{
    /* The stack grows down: what a callback calls lies below the function that called it. */
    return atomic_load(&call->thread) == call_thread() &&
           (uintptr_t)frame >= atomic_load(&call->frame);
}
