/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an answer that was given leaves open, in sentences. */
#ifndef LIBOMPD_NOTES_H
#define LIBOMPD_NOTES_H

#include "session/address-space.h"

/* After an answer that needed PARTS: remember what it leaves open.  Tells whether part of the
 * answer is missing, so that it is ompd_rc_incomplete. */
bool notes_take(struct address_space *space, uint32_t parts);

/* After a call for rows of a list of which nothing is lost, but that is not as it should be. */
void notes_take_reason(struct address_space *space, const char *reason);

/* After a call for findings, hops or leaks: UNLOOKED has bits of UNLOOKED(); ALLOCATOR names the
 * one of unlooked_allocator. */
void notes_take_unlooked(struct address_space *space, uint32_t unlooked, const char *allocator);

/* After a search for handles in memory, which has MISSED some. */
void notes_take_search(struct address_space *space, const struct scan_missed *missed);

/* After an answer about threads: that the main thread has ended.  Returns as
 * main_thread_has_ended. */
ompd_rc_t notes_take_threads(struct address_space *space);

/* Have note number INDEX on the last answer, or "" where there is none, in the note of SPACE. */
void notes_tell(struct address_space *space, uint32_t index);

/* There is nothing to be said of the answer. */
void notes_clear(struct address_space *space);

/* After an answer about modules that the tool failed to tell or to read: it may leave some out. */
void notes_take_modules(struct address_space *space);

/* The parts that rows of KIND need from layouts. */
uint32_t notes_parts(uint32_t kind);

#endif
