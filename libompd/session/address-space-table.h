/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The address spaces that live: what a handle stands for, and how a call on it begins and ends. */
#ifndef LIBOMPD_ADDRESS_SPACE_TABLE_H
#define LIBOMPD_ADDRESS_SPACE_TABLE_H

#include "session/address-space.h"

/* What a handle stands for. */
struct resolved_handle {
    struct address_space *space;
    enum handle_kind kind;
    struct handle_entry *entry; /* NULL for a process; good until the next handle is given out */
};

/* Begin a call on what POINTER, a handle of any kind, stands for.  The message of its address space
 * is then empty.  Returns ompd_rc_ok, and address_space_leave is to end it; ompd_rc_bad_input,
 * ompd_rc_stale_handle or ompd_rc_busy, when nothing was begun, as with any function here that
 * begins a call. */
ompd_rc_t address_space_resolve(const void *pointer, struct resolved_handle *resolved);

/* End the call on SPACE, which returns RC.  Returns RC, or ompd_rc_interrupted. */
ompd_rc_t address_space_leave(struct address_space *space, ompd_rc_t rc);

/* Tell whether a call on SPACE of which a part returned RC is to set its out parameters. */
bool address_space_answers(const struct address_space *space, ompd_rc_t rc);

/* Go on with a call on SPACE of which a part returned RC: ends it unless that is ompd_rc_ok. */
ompd_rc_t address_space_go_on(struct address_space *space, ompd_rc_t rc);

/* The space of POINTER, a process' handle, for its release from FRAME, when a callback of the call
 * that is under way has never returned; else NULL. */
struct address_space *address_space_seize(const void *pointer, const void *frame);

/* The same for a call on a process or a device; of a thread: ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter_any(const ompd_address_space_handle_t *handle,
                                  struct resolved_handle *resolved);

/* The same for a call on a thread; of any other: ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter_thread(const void *handle, struct resolved_handle *resolved);

/* The handle of SPACE. */
ompd_address_space_handle_t *address_space_handle(const struct address_space *space);

/* Give out a handle for ENTRY, in *NUMBER.  Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t address_space_give_handle(struct address_space *space, struct handle_entry *entry,
                                    uintptr_t *number);

/* Find the address space of HANDLE for a call on it, whose message is then empty.  Returns
 * ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space);

/* The same for a call that leaves the message of the last one, but for one of its own. */
ompd_rc_t address_space_enter_again(const ompd_address_space_handle_t *handle,
                                    struct address_space **space);

/* Find the memory of HANDLE's address space, for a call that may come from any thread: its message
 * is left alone.  The pointer is good for ever, but may come to be another address space's.
 * Returns as address_space_enter. */
ompd_rc_t address_space_find_memory(const ompd_address_space_handle_t *handle,
                                    struct memory **memory);

/* Make an address space: ompd_cl_address_space_create with arguments that were checked.  FRAME is
 * that of the function which the tool has called. */
ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context, const void *frame,
                               ompd_address_space_handle_t **handle);

/* HANDLE, of an address space that was made, is the tool's now. */
void address_space_give(ompd_address_space_handle_t *handle);

/* Let the handle of SPACE stand for nothing, before it is freed.  Returns ompd_rc_ok, or
 * ompd_rc_stale_handle when another thread is at it. */
ompd_rc_t address_space_close(struct address_space *space);

/* Give back SPACE, which was closed, and what it holds but for its lists and what OMPD gave out. */
void address_space_free(struct address_space *space);

/* Return RC with TEXT, which must be static, as the reason why there is no address space. */
ompd_rc_t address_space_fail_creation(ompd_rc_t rc, const char *text);

/* The sentence that names what CALLBACKS lacks and the library cannot do without; else NULL. */
const char *callbacks_find_missing(const ompd_callbacks_t *callbacks);

#endif
