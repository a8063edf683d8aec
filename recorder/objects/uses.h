/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects that calls use. */
#ifndef RECORDER_USES_H
#define RECORDER_USES_H

#include "objects/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

/*
 * The objects that calls use.
 *
 * Each wrapper passes the handles that the program gives it, before it calls the runtime. A handle
 * without references is recorded as a mistake at once, because the runtime may crash. If a handle
 * is that of an object of another kind, the runtime may refuse it, which is recorded as an error.
 * So that is only recorded as a mistake once the runtime has accepted it.
 *
 * Nothing is recorded where that is not certain: if objects may exist that the recorder does not
 * know, or the runtime has given the program the handle again since the last release.
 */

/* An object that a call uses. */
struct recorder_used {
    const void *handle;
    uint32_t table;
    uint32_t argument; /* index of the argument plus 1; 0: the first handle */
};

/* The table of the objects that have handles of the type of HANDLE; 0 for devices and other types.
 */
#define RECORDER_TABLE_OF(handle)                                                                  \
    _Generic((handle), cl_context                                                                  \
             : ompd_cl_registry_context, cl_command_queue                                          \
             : ompd_cl_registry_queue, cl_mem                                                      \
             : ompd_cl_registry_memobj, cl_program                                                 \
             : ompd_cl_registry_program, cl_kernel                                                 \
             : ompd_cl_registry_kernel, cl_sampler                                                 \
             : ompd_cl_registry_sampler, cl_event                                                  \
             : ompd_cl_registry_event, default : 0)

/* The slow path of the functions below: USED has no record, which ENTRY has, or no references. */
uint32_t recorder_use_slowly(const struct recorder_used *used, const struct recorder_entry *entry,
                             const void *return_address);

/* The reference of an object that certainly has HANDLE and is not of TABLE; 0: none. */
uint32_t recorder_other_kind_find(uint32_t table, const void *handle);

/* The runtime has accepted OTHER, an object of another kind than the call takes, as the ARGUMENT
 * with that index plus 1; 0: as its first handle. */
void recorder_use_of_other_kind(uint32_t argument, uint32_t other, const void *return_address);

/* Whether the object of ENTRY, which was found, has references. */
RECORDER_INLINE bool recorder_entry_is_valid(const struct recorder_entry *entry)
{
    return recorder_state_word_references(recorder_state_word_load(entry->object)) > 0;
}

/* The call that returns to RETURN_ADDRESS is about to use the object HANDLE of TABLE, 0 for none,
 * as its ARGUMENT with that index plus 1. Returns 0, or the reference of an object of another kind
 * that has this handle. */
RECORDER_INLINE uint32_t recorder_use_as(uint32_t argument, uint32_t table, const void *handle,
                                         const void *return_address)
{
    struct recorder_entry entry;
    if (table && RECORDER_UNLIKELY(!recorder_object_find(&entry, table, handle) ||
                                   !recorder_entry_is_valid(&entry))) {
        const struct recorder_used used = {handle, table, argument};
        return recorder_use_slowly(&used, &entry, return_address);
    }
    return 0;
}

/* The same for the first handle of the call. */
RECORDER_INLINE uint32_t recorder_use(uint32_t table, const void *handle,
                                      const void *return_address)
{
    return recorder_use_as(0, table, handle, return_address);
}

/* The same for the COUNT handles of LIST, which may be NULL. Returns whether one is of another
 * kind.
 */
bool recorder_list_use(uint32_t table, cl_uint count, const void *list, const void *return_address);

/* The runtime has accepted LIST. */
void recorder_list_used(uint32_t table, cl_uint count, const void *list,
                        const void *return_address);

/* Whether all objects of the program are recorded, as far as is known. If not, an unknown handle
 * proves nothing. */
bool recorder_has_all_objects(void);

/* Find the record of an object of TABLE that has ended and had HANDLE, which remains in the record
 * until the slot is reused. Returns false when there is none. ENTRY has its `heap`. */
bool recorder_ended_find(struct recorder_entry *entry, uint32_t table, const void *handle);

/* The runtime returns handles in the SIZE bytes at VALUE, for the query NAME of any kind of object.
 * The program may use them even after their last release. */
void recorder_handle_returned(uint32_t name, size_t size, const void *value);

#endif
