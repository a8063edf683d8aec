/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls on the handle of a thread. */
#ifndef LIBOMPD_OMPD_THREAD_H
#define LIBOMPD_OMPD_THREAD_H

#include "session/address-space-table.h"
#include "session/thread-record.h"

/* Begin a call on the thread of HANDLE: find what it stands for, and read its record's HEAD.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle, ompd_rc_incompatible_handle, or as
 * uncached_open. */
ompd_rc_t thread_enter(const void *handle, struct resolved_handle *resolved,
                       struct thread_head *head);

#endif
