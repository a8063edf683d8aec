/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in memory a handle is. */
#ifndef LIBOMPD_HOLDERS_H
#define LIBOMPD_HOLDERS_H

#include "answers/list.h"
#include "target/heap.h"

/* ---- handle-search --------------------------------------------------------------------------- */

/* One search for the places that have any of some handles, as they are or with a tag: through the
 * registers of the target's threads, then once through its writable memory. */

struct handle_search {
    /* To be set. */
    const uint64_t *handles; /* ascending, none twice, not 0 */
    uint32_t count;
    /*
     * Told of each place that has the handle at INDEX; registers first, then memory by rising
     * addresses.  INFO is NULL for a place of which memory that could not be read would tell
     * whether it counts.  What it returns, but for ompd_rc_ok, ends the search.
     */
    ompd_rc_t (*visit)(void *visitor, uint32_t index, const ompd_cl_reference_site_info_t *info);
    void *visitor;
    struct shortfall *missing; /* what may have a handle, and was not looked through, is added */
};

/* Make the search.  Returns ompd_rc_ok, also when something is missing; ompd_rc_unsupported when
 * the tool does not tell memory regions; or why it could not go on. */
ompd_rc_t handle_search_run(struct handle_search *search, struct address_space *space);

/* The index of HANDLE among COUNT ascending HANDLES; COUNT: it is none of them. */
uint32_t handle_index_find(const uint64_t *handles, uint32_t count, uint64_t handle);

/* ---- holder-list ----------------------------------------------------------------------------- */

/* Lists of the places that have the cl handle of an object. */

/* Open the list of the places that have the handle of OBJECT, an id: see
 * ompd_cl_object_list_open. */
ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *list);

/* ---- holder-row ------------------------------------------------------------------------------ */

/* What a place in the target's memory or registers is, in which a cl handle was found. */

/* Looks at places by rising addresses.  Begin with {0}. */
struct holder_search {
    struct heap_chunks chunks;
};

/*
 * Fill INFO for the word at ADDRESS, which is HANDLE.  False: it holds nothing, as it is dead, of
 * the object itself, or of the recorder.  The map of owners is there, and so is memory for reading
 * ahead.  `failure` of the target is set where something could not be read that might tell more.
 */
bool holder_row_fill(struct address_space *space, struct holder_search *look, uint64_t address,
                     uint64_t handle, ompd_cl_reference_site_info_t *info);

/* Fill INFO for register number NUMBER of the thread LWP. */
void holder_row_fill_register(struct address_space *space, uint64_t lwp, uint32_t number,
                              ompd_cl_reference_site_info_t *info);

#endif
