/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records of threads.  Each heap has one, at the index that is the heap's number: it is live while
 * a thread has the heap.  Slots are handed out, counted and given back under the growth lock.
 */
#ifndef RECORDER_THREAD_H
#define RECORDER_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"

/* Make the record at INDEX, the next one, still free; NULL when there is no memory.  The growth
 * lock is held. */
struct ompd_cl_registry_thread_record *recorder_thread_record_make(uint32_t index);

/* The calling thread, which is LWP, gets the record at INDEX.  IS_CALLER: it enters by a call, not
 * by a callback.  The growth lock is held. */
void recorder_thread_begin(uint32_t index, uint32_t lwp, bool is_caller);

/* The thread of the record at INDEX has ended, or did not come along into the child of a fork().
 * The growth lock is held, or there are no other threads. */
void recorder_thread_end(uint32_t index);

/* The record may not be given to another thread: no generation may come twice. */
bool recorder_thread_is_used_up(uint32_t index);

#endif
