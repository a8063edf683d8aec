/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is lost, or is left when the program ends. */
#ifndef LIBOMPD_LEAKS_H
#define LIBOMPD_LEAKS_H

#include "answers/kept.h"

/* ---- leak-list ------------------------------------------------------------------------------- */

/* Objects that the program leaves. */

/* Open the list of leaks: see ompd_cl_list_open. */
ompd_rc_t leak_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

/* ---- leak-objects ---------------------------------------------------------------------------- */

/* Objects that a program may leave, of any kind that it can release: their rows as those of leaks.
 */

/* What the program has to do with an object that is there. */
enum leak_role {
    leak_not,     /* it is doubtful, or over-released: nothing is said of it */
    leak_owned,   /* the program has references on it */
    leak_released /* it has none any more, but something keeps the object */
};

/* The kinds of objects, in the order in which leaks are given. */
#define LEAK_KIND_COUNT 8
extern const uint8_t leak_kinds[LEAK_KIND_COUNT];

/* What the program has to do with the object in ROW of leak_kinds[INDEX], whose handle *HANDLE
 * gets. */
enum leak_role leak_role_of(uint32_t index, const void *row, uint64_t *handle);

/* The objects that ROW of leak_kinds[INDEX] tells of when it is asked, by clGetMemObjectInfo and
 * the like: their handles, and 0s. */
#define LEAK_LINKS 4
void leak_links_get(uint32_t index, const void *row, uint64_t links[LEAK_LINKS]);

/* The number of the call stack that made the object in ROW; 0: none. */
uint64_t leak_stack_of(const void *row);

/* Fill INFO with what ROW of leak_kinds[INDEX] says of the object; of what keeps it, and of what it
 * keeps, it says nothing yet. */
void leak_row_begin(uint32_t index, const void *row, ompd_cl_leak_info_t *info);

/* How sure it is that the program has references on the object of INFO, which it seems to own:
 * ompd_cl_status_value, presumed or unknown. */
uint16_t leak_ownership_of(const ompd_cl_leak_info_t *info);

/* ---- leak-search ----------------------------------------------------------------------------- */

/* Whether the program has the handles of the objects that it has references on. */

/* Have in what SPACE keeps of leaks what this stop shows: all objects are looked at, then memory
 * once.  Returns ompd_rc_ok, also where not all could be, or why it could not be done. */
ompd_rc_t leak_search_run(struct address_space *space);

/* The place that was found for HANDLE; NULL: it was not looked for. */
const struct handle_place *leak_place_find(const struct kept_leaks *kept, uint64_t handle);

/* Tell whether all that has the handle of PLACE may have been freed. */
bool leak_place_may_be_freed(const struct kept_leaks *kept, const struct handle_place *place);

/* Tell whether HANDLE is of an object that the program has released. */
bool leak_released_find(const struct kept_leaks *kept, uint64_t handle);

/* Set in INFO where PLACE is.  Returns ompd_rc_ok; ompd_rc_incomplete when the tool could not tell
 * the name of its module; what ends the call. */
ompd_rc_t leak_place_describe(struct address_space *space, const struct handle_place *place,
                              ompd_cl_leak_info_t *info);

/* Set in INFO that nobody knows where the handle is, or whether it is anywhere. */
void leak_place_set_absent(ompd_cl_leak_info_t *info);

#endif
