/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Address spaces: what a handle stands for, and the table of those that live. */
#ifndef LIBOMPD_ADDRESS_SPACE_H
#define LIBOMPD_ADDRESS_SPACE_H

#include "base/message.h"
#include "discovery/inventory.h"
#include "kinds/record-decoder.h"
#include "registry/registry.h"
#include "runtime/runtime.h"
#include "session/handle.h"
#include "session/kept-findings.h"
#include "session/kept-holders.h"
#include "session/kept-hops.h"
#include "session/kept-leaks.h"
#include "session/kept-threads.h"
#include "session/lwp-map.h"
#include "session/notes.h"
#include "session/owner-map.h"
#include "session/pending-frees.h"
#include "session/recorder-module.h"
#include "session/thread-record.h"
#include "target/code.h"
#include "target/target.h"

struct list;

/* How the rows of the kind that was made last begin. */
struct layout_blank {
    uint32_t kind; /* 0: none was made yet */
    uint32_t size;
    union row row;
};

struct address_space {
    uint64_t salt; /* of its ids */
    unsigned slot; /* that it got its handle from */
    struct target target;
    struct registry registry;
    struct record_decoders decoders;
    /* The target's stop at which the registry's root was read; 0: what is known of it is no good.
     */
    uint64_t registry_stop;
    uint64_t root;                           /* address of the last that was found, and */
    uint8_t root_start[REGISTRY_ROOT_START]; /* how it began */
    struct message message;
    bool keeps_message; /* the call that is under way leaves that of the last one */
    struct notes notes;
    struct message note; /* the last that was given */
    uint8_t
        record[OMPD_CL_REGISTRY_MAX_RECORD_SIZE]; /* one being looked at while others are read */
    struct list *open_lists;
    struct list *closed_lists; /* to be used again */
    uint64_t lists_opened;
    struct handle_table handles; /* of devices and threads */
    struct thread_hints hints;
    uint32_t sources;             /* that the tool wants: bits 1 << ompd_cl_source_t */
    struct known_layout *layouts; /* the newest first */
    struct code code;
    struct runtimes runtimes;
    struct inventory inventory;
    uint64_t no_recorder_stop;  /* the target's at which there was none */
    uint64_t released_stop;     /* the target's at which objects that are gone were marked */
    uint64_t acquitted_stop;    /* the target's at which the recorder was asked about misfits */
    uint64_t marked_stop;       /* the target's at which those of `marked_kinds` were marked */
    uint32_t marked_kinds;      /* bits 1 << enum layout_kind */
    uint32_t unmarked_kinds;    /* of which some could not be, */
    uint64_t unmarked;          /* so many at most */
    uint64_t unfound;           /* live objects of those kinds that the layouts have not found */
    uint32_t recorded_runtimes; /* bits 1 << index: the recorder has seen all of their objects */
    struct recorder_module recorder_module;
    struct svm_pending svm_pending;
    struct svm_recorded svm_recorded;
    struct svm_begun svm_begun;
    struct kept_findings findings;
    struct kept_hops hops;
    struct kept_holders holders;
    struct kept_leaks leaks;
    struct kept_threads threads;
    struct layout_blank layout_blank;
    struct owner_map owners;
    struct lwp_map lwps;
    struct thread_stack stack; /* that was asked for last */
};

/* Whether the tool wants SOURCE. */
static inline bool address_space_wants(const struct address_space *space, ompd_cl_source_t source)
{
    return (space->sources >> source & 1) != 0;
}

/* Whether the recorder's registry is a source of SPACE at this stop, once that was found out. */
static inline bool address_space_has_recorder(const struct address_space *space)
{
    return address_space_wants(space, ompd_cl_source_recorder) &&
           space->registry_stop == space->target.stop;
}

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

/* Keep RECORD of TABLE where reading other memory does not disturb it, until the next is kept. */
const uint8_t *address_space_keep(struct address_space *space, const struct registry_table *table,
                                  const uint8_t *record);

/* Find the memory of HANDLE's address space, for a call that may come from any thread: its message
 * is left alone.  The pointer is good for ever, but may come to be another address space's.
 * Returns as address_space_enter. */
ompd_rc_t address_space_find_memory(const ompd_address_space_handle_t *handle,
                                    struct memory **memory);

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return ompd_rc_bad_input with the reason that WHAT, an argument of the call, is NULL. */
ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what);

/* Return RC, which the target or the registry gave, with a reason if it has none yet. */
ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc);

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
