/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ledger: who has made, retained and released objects, a ring for each kind of them. */
#ifndef RECORDER_LEDGER_H
#define RECORDER_LEDGER_H

#include "object.h"

/* The tables whose objects have a ledger, bits 1 << table. */
extern uint32_t recorder_ledger_tables __attribute__((visibility("hidden")));

/* Keep the last LENGTH entries of the objects of each of TABLES, which are no bits beyond that of
 * events, as far as there is memory.  Before the root is published. */
void recorder_ledger_prepare(uint32_t tables, uint32_t length);

/* What the functions below do when there is a ledger. */
void recorder_ledger_write_creation(const struct recorder_entry *entry);
void recorder_ledger_write(const struct recorder_entry *entry, enum ompd_cl_registry_action action,
                           int32_t references, const void *return_address);
void recorder_ledger_write_end(const struct recorder_entry *entry, int32_t references,
                               enum ompd_cl_registry_ending ending);

/* The object is about to be published. */
RECORDER_INLINE void recorder_ledger_created(const struct recorder_entry *entry)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write_creation(entry);
    }
}

/* The call that returns to RETURN_ADDRESS, or none when that is NULL, has left the program so many
 * REFERENCES of the object. */
RECORDER_INLINE void recorder_ledger_changed(const struct recorder_entry *entry,
                                             enum ompd_cl_registry_action action,
                                             int32_t references, const void *return_address)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write(entry, action, references, return_address);
    }
}

/* The object has ended, with so many REFERENCES. */
RECORDER_INLINE void recorder_ledger_ended(const struct recorder_entry *entry, int32_t references,
                                           enum ompd_cl_registry_ending ending)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write_end(entry, references, ending);
    }
}

#endif
