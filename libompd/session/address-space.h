/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of one address space, and why a call on it failed. */
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

/* Keep RECORD of TABLE where reading other memory does not disturb it, until the next is kept. */
const uint8_t *address_space_keep(struct address_space *space, const struct registry_table *table,
                                  const uint8_t *record);

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return ompd_rc_bad_input with the reason that WHAT, an argument of the call, is NULL. */
ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what);

/* Return RC, which the target or the registry gave, with a reason if it has none yet. */
ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc);

#endif
