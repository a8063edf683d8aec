/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Leaks: objects that are lost, or still live when the program ends. */
#ifndef LIBOMPD_LEAKS_H
#define LIBOMPD_LEAKS_H

#include "answers/kept.h"

/* ---- leak-list ------------------------------------------------------------------------------- */

/* The list of leaks. */

/* Open the list of leaks: see ompd_cl_list_open. */
ompd_rc_t leak_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

/* ---- leak-objects ---------------------------------------------------------------------------- */

/* Objects of releasable kinds, and their rows as leaks. */

/* The program's relation to an existing object. */
enum leak_role {
    leak_not,     /* doubtful or over-released: not reported */
    leak_owned,   /* the program has references on it */
    leak_released /* it has none left, but something keeps the object alive */
};

/* The kinds of objects, in the order of leaks. */
#define LEAK_KIND_COUNT 14
extern const uint8_t leak_kinds[LEAK_KIND_COUNT];

/* Whether the target can have objects of KIND: OpenCL's or Embree's. Leaves no message. */
bool leak_kind_is_there(struct address_space *space, uint32_t kind);

/* The program's relation to the object in ROW of leak_kinds[INDEX]. *HANDLE is set to its
 * handle. */
enum leak_role leak_role_of(uint32_t index, const void *row, uint64_t *handle);

/* The objects that the program can get from the object in ROW of leak_kinds[INDEX], by
 * clGetMemObjectInfo and similar: their handles, and 0s. */
#define LEAK_LINKS 6
void leak_links_get(uint32_t index, const void *row, uint64_t links[LEAK_LINKS]);

/* The number of the call stack that made the object in ROW; 0: none. */
uint64_t leak_stack_of(const void *row);

/* Fill INFO from ROW of leak_kinds[INDEX], except for its references from and to other objects. */
void leak_row_begin(uint32_t index, const void *row, ompd_cl_leak_info_t *info);

/* The certainty that the program has references on the object of INFO: ompd_cl_status_value,
 * presumed or unknown. */
uint16_t leak_ownership_of(const ompd_cl_leak_info_t *info);

/* ---- leak-search ----------------------------------------------------------------------------- */

/* Whether the program has the handles of the objects on which it has references. */

/* Find the leaks of this stop, and cache them in SPACE: visit all objects, then search memory once.
 * Returns ompd_rc_ok, also where something was missing, or why it failed. */
ompd_rc_t leak_search_run(struct address_space *space);

/* The place that was found for HANDLE; NULL if it was not searched for. */
const struct handle_place *leak_place_find(const struct kept_leaks *kept, uint64_t handle);

/* Whether all memory with the handle of PLACE may have been freed. */
bool leak_place_may_be_freed(const struct kept_leaks *kept, const struct handle_place *place);

/* Whether HANDLE belongs to an object that the program has released. */
bool leak_released_find(const struct kept_leaks *kept, uint64_t handle);

/* Describe PLACE in INFO. Returns ompd_rc_ok; ompd_rc_incomplete when the tool failed to report the
 * name of its module; what ends the call. */
ompd_rc_t leak_place_describe(struct address_space *space, const struct handle_place *place,
                              ompd_cl_leak_info_t *info);

/* Mark the place of the handle in INFO as unknown. */
void leak_place_set_absent(ompd_cl_leak_info_t *info);

#endif
