/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Address spaces: what a handle stands for, and the table of those that live. */
#ifndef LIBOMPD_ADDRESS_SPACE_H
#define LIBOMPD_ADDRESS_SPACE_H

#include "message.h"
#include "plan.h"
#include "registry.h"
#include "target.h"

struct list;

struct address_space {
    uint64_t salt; /* of its ids */
    struct target target;
    struct registry registry;
    struct plans plans;
    uint64_t registry_stop; /* the target's stop at which the registry's root was read */
    struct message message;
    uint8_t
        record[OMPD_CL_REGISTRY_MAX_RECORD_SIZE]; /* one being looked at while others are read */
    struct list *open_lists;
    struct list *closed_lists; /* to be used again */
    uint64_t lists_opened;
};

/* Find the address space of HANDLE for a call on it, whose message is then empty.
 * Returns ompd_rc_ok, ompd_rc_bad_input or ompd_rc_stale_handle. */
ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space);

/* The same for a call that needs the registry: reads its root if this has not been done at this
 * stop. Also returns as registry_open. */
ompd_rc_t address_space_enter_registry(const ompd_address_space_handle_t *handle,
                                       struct address_space **space);

/* Keep RECORD of TABLE where reading other memory does not disturb it, until the next is kept. */
const uint8_t *address_space_keep(struct address_space *space, const struct registry_table *table,
                                  const uint8_t *record);

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return RC, which the target or the registry gave, with a reason if it has none yet. */
ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc);

/* Make an address space: ompd_cl_address_space_create with arguments that were checked. */
ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context,
                               ompd_address_space_handle_t **handle);

/* Tell whether CALLBACKS has what the library cannot do without. */
bool callbacks_are_complete(const ompd_callbacks_t *callbacks);

#endif
