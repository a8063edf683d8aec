/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The calls and callbacks that a thread is in, as its record tells them. */
#ifndef LIBOMPD_ACTIVITIES_H
#define LIBOMPD_ACTIVITIES_H

#include "registry/registry.h"

/* An activity of a thread: struct ompd_cl_registry_activity. */
struct activity {
    uint32_t what;
    uint32_t reference;
    uint64_t handle;
};

/* How many activities the records of threads in TABLE have room for. */
uint32_t activity_room(const struct registry_table *table);

/* The activity at BYTES of the target. */
struct activity activity_decode(const struct target *target, const uint8_t *bytes);

/*
 * Set the state, the call and the cl handle of the thread in INFO, whose depth is set, to those of
 * its innermost activity.  Returns ompd_rc_ok; ompd_rc_incomplete when something cannot be.
 */
ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info);

#endif
