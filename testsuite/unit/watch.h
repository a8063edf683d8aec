/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A memory monitor that adds up its calls as a tool would, and refuses on demand. */
#ifndef WATCH_H
#define WATCH_H

#include "fake-target.h"

struct watch {
    int64_t sum; /* of memory that was not refused */
    int64_t most;
    uint64_t grants;
    uint64_t frees; /* and grants taken back */
    uint64_t refusals;
    int64_t refused; /* bytes of the last refusal */

    /* Refuse allocation number `refuse_at`, grants and refusals counted together (from 1, 0 never),
     * and for ever after; or those that `refuses` picks. */
    uint64_t refuse_at;
    bool refuses_for_ever;
    bool (*refuses)(void);
};

/* The monitor; USER_PTR is a struct watch.  Fails the test for impossible arguments. */
bool watch_monitor(void *user_ptr, ssize_t bytes, bool post);

/* What the fake target offers, with WATCH as the monitor from the first byte on. */
ompd_cl_extra_t watch_extra(struct watch *watch);

/* Refuse allocation COUNT from here, or none for 0. */
void watch_refuse(struct watch *watch, uint64_t count);

/* Make an address space on the fake target there is, watched by WATCH. */
ompd_rc_t watch_open(struct watch *watch, ompd_address_space_handle_t **space);

/* Ask SPACE for its account. */
ompd_cl_library_memory_info_t watch_account(ompd_address_space_handle_t *space);

/* The library's account of SPACE, the monitor's sum and the tool's allocator agree. */
void watch_check(const struct watch *watch, ompd_address_space_handle_t *space);

#endif
