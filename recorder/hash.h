/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records by cl handle.
 *
 * Looking up and putting in take no lock; taking out holds the bucket's.  An array that has become
 * too small is superseded under the growth lock: its buckets are locked, their records moved, the
 * new array published, the old buckets marked as moved.  Arrays are never freed.
 */
#ifndef RECORDER_HASH_H
#define RECORDER_HASH_H

#include <stdbool.h>
#include <stdint.h>

/* Make the first array.  Returns false when there is no memory for it. */
bool recorder_hash_prepare(void);

/* Find HANDLE in TABLE: a reference, or 0. */
uint32_t recorder_hash_find(uint32_t table, uint64_t handle);

/* Put the record REFERENCE in under its handle.  When a record of the same table has that handle
 * already, put nothing in and return its reference; else 0. */
uint32_t recorder_hash_put(uint32_t reference);

/* Take the record REFERENCE out.  Returns false when it was not there. */
bool recorder_hash_take(uint32_t reference);

/* See to it that there are enough buckets for all slots.  The growth lock is held. */
void recorder_hash_make_room(void);

/* In the child of a fork(): unlock the buckets that vanished threads had locked. */
void recorder_hash_repair(void);

#endif
