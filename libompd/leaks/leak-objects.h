/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that a program may leave, of any kind that it can release: their rows as those of leaks.
 */
#ifndef LIBOMPD_LEAK_OBJECTS_H
#define LIBOMPD_LEAK_OBJECTS_H

#include "session/address-space.h"

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

/* The number of the call stack that has made the object in ROW of leak_kinds[INDEX]; 0: none. */
uint64_t leak_stack_of(uint32_t index, const void *row);

/* Fill INFO with what ROW of leak_kinds[INDEX] says of the object; of what keeps it, and of what it
 * keeps, it says nothing yet. */
void leak_row_begin(uint32_t index, const void *row, ompd_cl_leak_info_t *info);

/* How sure it is that the program has references on the object of INFO, which it seems to own:
 * ompd_cl_status_value, presumed or unknown. */
uint16_t leak_ownership_of(const ompd_cl_leak_info_t *info);

#endif
