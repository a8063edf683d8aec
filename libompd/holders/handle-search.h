/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One search for the places that have any of some handles, as they are or with a tag: through the
 * registers of the target's threads, then once through its writable memory. */
#ifndef LIBOMPD_HANDLE_SEARCH_H
#define LIBOMPD_HANDLE_SEARCH_H

#include "session/address-space.h"

struct handle_search {
    /* To be set. */
    const uint64_t *handles; /* ascending, none twice, not 0 */
    uint32_t count;
    /*
     * Told of each place that has the handle at INDEX; registers first, then memory by rising
     * addresses.  INFO is NULL for a place of which memory that could not be read would tell
     * whether it counts.  What it returns, but for ompd_rc_ok, ends the search.
     */
    ompd_rc_t (*visit)(void *visitor, uint32_t index, const ompd_cl_holder_info_t *info);
    void *visitor;
    /* Results. */
    struct scan_missed missed;
    bool is_short;      /* not all that may have a handle was looked through */
    const char *reason; /* a sentence: why; NULL: memory could not be read */
};

/* Make the search.  Returns ompd_rc_ok, also when it is short; ompd_rc_unsupported when the tool
 * does not tell memory regions; or why it could not go on. */
ompd_rc_t handle_search_run(struct handle_search *search, struct address_space *space);

/* The index of HANDLE among COUNT ascending HANDLES; COUNT: it is none of them. */
uint32_t handle_index_find(const uint64_t *handles, uint32_t count, uint64_t handle);

#endif
