/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a tool may change of an address space's memory from any thread: monitor and limit. */
#ifndef LIBOMPD_MONITOR_H
#define LIBOMPD_MONITOR_H

#include "base/export.h"

#include <ompd-opencl.h>

#include <stdatomic.h>

/* A sequence lock: `sequence` is odd while a writer changes the words, and a reader starts again
 * when it was odd or has changed. No word is wider than a pointer, so that none needs a lock of the
 * compiler's. */
struct monitor {
    _Atomic(unsigned) sequence;
    _Atomic(uintptr_t) owner;    /* handle of the address space; 0 before it has one */
    _Atomic(uintptr_t) function; /* ompd_cl_memory_monitor_t; 0: none */
    _Atomic(uintptr_t) user_ptr;
    _Atomic(size_t) limit; /* bytes; 0: none */
};

/* Begin with what EXTRA says, for an address space that has no handle yet. */
void monitor_open(struct monitor *monitor, const ompd_cl_extra_t *extra);

/* Let the address space HANDLE be the one that monitor_set and monitor_limit_set are for. */
void monitor_own(struct monitor *monitor, uintptr_t handle);

/* Remove monitor and owner: a later change has no effect. */
void monitor_close(struct monitor *monitor);

/* Returns ompd_rc_ok, or ompd_rc_stale_handle when HANDLE does not own MONITOR. */
ompd_rc_t monitor_set(struct monitor *monitor, uintptr_t handle, ompd_cl_memory_monitor_t function,
                      void *user_ptr);
ompd_rc_t monitor_limit_set(struct monitor *monitor, uintptr_t handle, ompd_size_t bytes);

/* Tell the tool's monitor of BYTES; true when there is none. */
bool monitor_call(struct monitor *monitor, ssize_t bytes, bool post);

/* The limit in bytes, 0 for none. */
size_t monitor_limit(struct monitor *monitor);

#endif
