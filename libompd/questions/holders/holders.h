/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in memory a handle is stored. */
#ifndef LIBOMPD_HOLDERS_H
#define LIBOMPD_HOLDERS_H

#include "answers/list.h"
#include "target/heap.h"

/* ---- embree-blocks --------------------------------------------------------------------------- */

/* Which blocks of the heap are Embree's own. */

/* Begin with {0}. */
struct embree_blocks {
    bool is_there;         /* there is Embree, and its objects are known */
    struct extents arrays; /* sorted: where arrays of scenes and geometries begin, as one byte */
};

/* Read what distinguishes them. Returns ompd_rc_ok, or what ends the call. */
ompd_rc_t embree_blocks_read(struct address_space *space, struct embree_blocks *blocks);

/* Whether the block [START, END) is Embree's. *OBJECT is set to the handle of an object in it; 0:
 * none that is known. */
bool embree_blocks_has(struct address_space *space, const struct embree_blocks *blocks,
                       uint64_t start, uint64_t end, uint64_t *object);

/* ---- handle-search --------------------------------------------------------------------------- */

/* A search for the places of some handles, plain or tagged: in the registers of the target's
 * threads, and in one pass through its writable memory. */

struct handle_search {
    /* Set by the caller. */
    const uint64_t *handles; /* ascending and distinct, not 0 */
    uint32_t count;
    /*
     * Called for each place of the handle at INDEX: registers first, then memory by ascending
     * address. INFO is NULL for a place that may not count, because memory could not be read. Any
     * result but ompd_rc_ok ends the search.
     */
    ompd_rc_t (*visit)(void *visitor, uint32_t index, const ompd_cl_reference_site_info_t *info);
    void *visitor;
    struct shortfall *missing; /* memory that may have a handle but was not searched is added */
};

/* Search. Returns ompd_rc_ok, also when something is missing; ompd_rc_unsupported when the tool
 * does not list memory regions; or why it could not continue. */
ompd_rc_t handle_search_run(struct handle_search *search, struct address_space *space);

/* The index of HANDLE among COUNT ascending HANDLES; COUNT if it is not among them. */
uint32_t handle_index_find(const uint64_t *handles, uint32_t count, uint64_t handle);

/* ---- holder-list ----------------------------------------------------------------------------- */

/* The list of the reference sites of an object: the places of its cl handle. */

/* Open the list of the reference sites of OBJECT, an id: see ompd_cl_object_list_open. */
ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *list);

/* ---- holder-row ------------------------------------------------------------------------------ */

/* Describes a place in memory or registers that has a cl handle. */

/* The state for places by ascending address. Begin with {0}. */
struct holder_search {
    struct heap_chunks chunks;
    struct embree_blocks embree;
};

/*
 * Fill INFO for the word at ADDRESS, which is HANDLE. Returns false if the word is no reference: it
 * is dead, in the object itself, or the recorder's. The memory owners and memory for read-ahead
 * must be available. `failure` of the target is set if unreadable memory might show more.
 */
bool holder_row_fill(struct address_space *space, struct holder_search *look, uint64_t address,
                     uint64_t handle, ompd_cl_reference_site_info_t *info);

/* Fill INFO for register NUMBER of the thread LWP. */
void holder_row_fill_register(struct address_space *space, uint64_t lwp, uint32_t number,
                              ompd_cl_reference_site_info_t *info);

#endif
