/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of values that are those of no field. */
#include "kinds/kinds.h"

#include <ompd-opencl.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define RC(name, text)                                                                             \
    {                                                                                              \
        ompd_rc_##name, "ompd_rc_" #name, text                                                     \
    }

/* OpenMP 6.0 section 38.4.7, and what this library adds. */
static const ompd_cl_name_t rc_names[] = {
    RC(ok, "the call has done what it was asked"),
    RC(unavailable, "nothing in the target tells of it"),
    RC(stale_handle, "what the handle or the id names is gone"),
    RC(bad_input, "an argument makes no sense"),
    RC(error, "the library has failed"),
    RC(unsupported, "this does not exist in OpenCL"),
    RC(needs_state_tracking, "the target was to keep track of states"),
    RC(incompatible, "of a version that this library does not know"),
    RC(device_read_error, "the memory of a device could not be read"),
    RC(device_write_error, "the memory of a device could not be written"),
    RC(nomem, "no memory was to be had, or no more was allowed"),
    RC(incomplete, "a part of the answer could not be read"),
    RC(callback_error, "a callback of the tool has failed"),
    RC(incompatible_handle, "the handle is one of another kind"),
    RC(interrupted, "the tool has ended the call"),
    RC(busy, "the address space is in another call"),
};

#define STATUS(name, text)                                                                         \
    {                                                                                              \
        ompd_cl_status_##name, #name, text                                                         \
    }

static const ompd_cl_name_t status_names[] = {
    STATUS(none, "unknown to this version of the library"),
    STATUS(value, "a fact"),
    STATUS(presumed, "presumed, not proved"),
    STATUS(unknown, "not observed"),
    STATUS(not_applicable, "not applicable"),
    STATUS(not_saved, "not saved in the core"),
    STATUS(unreadable, "unreadable"),
    STATUS(changing, "being changed by a thread"),
    STATUS(corrupt, "corrupt"),
    STATUS(at_least, "at least, presumed"),
};

PUBLIC ompd_rc_t ompd_cl_name_find(ompd_cl_names_t names, uint64_t value,
                                   const ompd_cl_name_t **name)
{
    const ompd_cl_name_t *all = names == ompd_cl_names_rc ? rc_names : status_names;
    size_t count = names == ompd_cl_names_rc ? COUNT(rc_names) : COUNT(status_names);

    if ((names != ompd_cl_names_rc && names != ompd_cl_names_status) || name == NULL)
        return ompd_rc_bad_input;
    for (size_t i = 0; i < count; i++)
        if (all[i].value == value) {
            *name = &all[i];
            return ompd_rc_ok;
        }
    return ompd_rc_unavailable;
}
