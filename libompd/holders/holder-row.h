/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a place in the target's memory or registers is, in which a cl handle was found. */
#ifndef LIBOMPD_HOLDER_ROW_H
#define LIBOMPD_HOLDER_ROW_H

#include "findings/heap-chunks.h"
#include "session/address-space.h"

/* Looks at places by rising addresses.  Begin with {0}. */
struct holder_look {
    struct heap_chunks chunks;
};

/*
 * Fill INFO for the word at ADDRESS, which is HANDLE.  False: it holds nothing, as it is dead, of
 * the object itself, or of the recorder.  The map of owners is there, and so is memory for reading
 * ahead.  `failure` of the target is set where something could not be read that might tell more.
 */
bool holder_row_fill(struct address_space *space, struct holder_look *look, uint64_t address,
                     uint64_t handle, ompd_cl_holder_info_t *info);

/* Fill INFO for register number NUMBER of the thread LWP. */
void holder_row_fill_register(struct address_space *space, uint64_t lwp, uint32_t number,
                              ompd_cl_holder_info_t *info);

#endif
