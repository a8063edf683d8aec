/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One call of the tool's on an address space, and the callbacks that it makes on its way. */
#ifndef LIBOMPD_CALL_H
#define LIBOMPD_CALL_H

#include "base/export.h"

#include <ompd-opencl.h>

#include <stdatomic.h>

struct call {
    _Atomic(uintptr_t) thread; /* thread pointer of who makes it; 0: none is under way */
    _Atomic(uintptr_t) frame;  /* of the library's function that called a callback last */
    bool is_interrupted;       /* a callback returned ompd_rc_interrupted: no other is called */
};

/* Where the frame of the function that asks ends, towards its caller's: on some machines the
 * frame's address is its other end, which is further down in a function with more variables. */
#define CALL_FRAME __builtin_dwarf_cfa()

/* Begin a call.  False: one is under way, in another thread or in the callback that makes this one;
 * or a callback of it has never returned. */
bool call_begin(struct call *call);

/* Begin a call from FRAME, though one is under way, whose callback has certainly left by longjmp or
 * an exception: FRAME is not within that of the function which called it. */
bool call_seize(struct call *call, const void *frame);

/* End the call that this thread has begun. */
void call_end(struct call *call);

/* Note that a callback is called from here.  False: none is to be called any more. */
static inline bool call_out(struct call *call)
{
    atomic_store_explicit(&call->frame, (uintptr_t)CALL_FRAME, memory_order_relaxed);
    return !call->is_interrupted;
}

/* What a callback returned. */
static inline ompd_rc_t call_take(struct call *call, ompd_rc_t rc)
{
    if (rc == ompd_rc_interrupted)
        call->is_interrupted = true;
    return rc;
}

/* The value of EXPRESSION, which calls a callback that returns an ompd_rc_t. */
#define CALL_OUT(call, expression)                                                                 \
    (call_out(call) ? call_take(call, expression) : ompd_rc_interrupted)

/* Whether RC ends a call whatever else it could tell: there is no memory, or it is interrupted. */
static inline bool rc_is_final(ompd_rc_t rc)
{
    return rc == ompd_rc_nomem || rc == ompd_rc_interrupted;
}

#endif
