/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that are not over, queue by queue, and what the first of each waits for. */
#ifndef OMPD_VIEW_PENDING_H
#define OMPD_VIEW_PENDING_H

#include <view/list.h>

#define VIEW_PENDING_QUEUES 64 /* others are left out */

struct view_pending_queue {
    uint64_t handle;
    uint64_t count;
    uint64_t first;    /* number of the first command, and */
    uint64_t first_id; /* its id */
    uint64_t event;    /* that it waits for and that is not over; 0: none is known */
    bool is_user;      /* which the program is to set */
};

struct view_pending {
    struct view_pending_queue queues[VIEW_PENDING_QUEUES];
    size_t count;
};

/* Find the queues with commands that are not over, as far as the recorder knows. */
void view_pending_find(struct view_pending *pending, ompd_view_t *view);

/* Add "20000 commands are pending behind user event 0x1f". */
void view_pending_describe(const struct view_pending_queue *queue, struct text *text);

/* Add " behind user event 0x1f", where that is known. */
void view_pending_blocker_add(const struct view_pending_queue *queue, struct text *text);

/* The queue with HANDLE; NULL: none of its commands is pending. */
const struct view_pending_queue *view_pending_get(const struct view_pending *pending,
                                                  uint64_t handle);

#endif
