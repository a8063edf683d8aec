/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that have lost their last reference, and are being destroyed at the stop. */
#ifndef LIBOMPD_LAST_REFERENCE_H
#define LIBOMPD_LAST_REFERENCE_H

#include "discovery/candidate.h"

/*
 * The cl handle of the OpenCL context of what is at HANDLE, in the memory that was given out at
 * START, if it has lost its last reference, of whatever kind of RUNTIME's it is: it is being
 * destroyed, however much of it is undone already.  That of an OpenCL context is its own.  0: it is
 * no such object.
 */
uint64_t last_reference_context(struct target *target, const struct runtime *runtime,
                                uint64_t handle, uint64_t start);

/*
 * Find which rejected words of DISCOVERY are being destroyed: they become candidate_dying, with
 * their OpenCL contexts.  A word at one of these becomes candidate_is_named, as enough of it may be
 * undone that it looks like nothing.
 */
void last_references_find(struct discovery *discovery);

#endif
