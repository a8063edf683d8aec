/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of one address space, and why a call on it failed. */
#ifndef LIBOMPD_ADDRESS_SPACE_H
#define LIBOMPD_ADDRESS_SPACE_H

#include "base/message.h"
#include "session/handle.h"
#include "session/notes.h"
#include "target/code.h"
#include "target/target.h"
#include "target/thread-stack.h"

struct list;
struct recorder_source;
struct layout_source;
struct stack_source;
struct kept_answers;

struct address_space {
    uint64_t salt; /* of its ids */
    unsigned slot; /* that it got its handle from */
    struct target target;
    struct code code;
    struct thread_stack stack; /* that was asked for last */
    struct message message;
    bool keeps_message; /* the call that is under way leaves that of the last one */
    struct notes notes;
    struct message note; /* the last that was given */
    struct list *open_lists;
    struct list *closed_lists; /* to be used again */
    uint64_t lists_opened;
    struct handle_table handles; /* of devices and threads */
    uint32_t sources;            /* that the tool wants: bits 1 << ompd_cl_source_t */
    /* The target's stop at which the registry's root was read; 0: what is known of it is no good.
     */
    uint64_t registry_stop;
    struct recorder_source *recorder;
    struct layout_source *layout;
    struct stack_source *stacks;
    struct kept_answers *kept;
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

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return ompd_rc_bad_input with the reason that WHAT, an argument of the call, is NULL. */
ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what);

/* Return RC, which the target or the registry gave, with a reason if it has none yet. */
ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc);

#endif
