/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is about to be freed, as layouts show the SVM-free commands that are still to be done. */
#ifndef LIBOMPD_SVM_PENDING_H
#define LIBOMPD_SVM_PENDING_H

#include "runtime/runtime.h"

struct address_space;
struct inventory_item;

/* More pointers that SVM-free commands are to free are not kept, nor more queues that have such
 * commands. */
#define SVM_PENDING_LIMIT 256
#define SVM_QUEUE_LIMIT 64

struct svm_queue {
    uint64_t handle;
    uint32_t runtime; /* index */
    uint32_t count;   /* of its commands */
};

/* What the SVM-free commands that are still to be done say. */
struct svm_pending {
    uint64_t stop; /* the target's that it is of */
    uint32_t count;
    ompd_rc_t rest;   /* ompd_rc_ok: there are no others; else why nobody knows, */
    uint16_t failure; /* ompd_cl_status_t, when they may be where memory could not be read */
    uint64_t pointers[SVM_PENDING_LIMIT];
    uint16_t unread[RUNTIME_LIMIT]; /* why an event of a runtime could not be read; 0: all were */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT];
};

/* Tell in *IS_PENDING whether such a command names the SVM allocation at POINTER.  Returns
 * ompd_rc_ok; ompd_rc_unavailable when that is not known; ompd_rc_incomplete when some memory could
 * not be read, which `failure` of the target says why; ompd_rc_nomem. */
ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending);

/* Tell in *COUNT how many the queue of ITEM has.  Returns ompd_rc_ok; ompd_rc_unavailable when its
 * layout does not tell, or more queues have some than are kept; ompd_rc_incomplete when one could
 * not be read, as above; ompd_rc_nomem. */
ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count);

#endif
