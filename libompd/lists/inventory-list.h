/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of what layouts find. */
#ifndef LIBOMPD_INVENTORY_LIST_H
#define LIBOMPD_INVENTORY_LIST_H

#include "lists/list.h"
#include "session/sources.h"

/* Views of the target for the lists of all objects together, beyond which a question about them all
 * is given up: law 6.  Each list has a bound of its own, but many objects can seem to share one. */
#define LIST_VIEW_LIMIT (UINT64_C(1) << 24)

/* The kinds of objects (bits 1 << enum layout_kind) that rows of KIND come from, 0 for none. */
uint32_t inventory_kinds(uint32_t kind);

/* Tell whether it is known how ITEM keeps its fields: a layout may have gone since it was found. */
static inline bool inventory_has_layout(const struct address_space *space,
                                        const struct inventory_item *item)
{
    return item->runtime < space->runtimes.count &&
           space->runtimes.all[item->runtime].layout != NULL;
}

/* Tell whether the recorder has ITEM, which may be NULL, and shows it. */
static inline bool inventory_is_recorded(const struct address_space *space,
                                         const struct inventory_item *item)
{
    return item != NULL && (item->marks & inventory_recorded) != 0 && sources_have_recorder(space);
}

/* Tell whether ITEM is a copy of an object, or part of one: it may be, and the recorder, which has
 * seen all objects of its runtime, has none there. */
static inline bool inventory_is_copy(const struct address_space *space,
                                     const struct inventory_item *item)
{
    bool may_be_copy = item->doubt == ompd_cl_doubt_same_number ||
                       item->doubt == ompd_cl_doubt_over_counted ||
                       item->doubt == ompd_cl_doubt_twin || item->doubt == ompd_cl_doubt_place;

    return may_be_copy && (item->marks & inventory_recorded) == 0 && sources_have_recorder(space) &&
           (space->recorded_runtimes >> item->runtime & 1) != 0;
}

/* Tell whether rows of SPACE come from ITEM: it is the program's, and not the recorder's to show.
 */
static inline bool inventory_is_shown(const struct address_space *space,
                                      const struct inventory_item *item)
{
    return (item->marks & inventory_internal) == 0 && !inventory_is_recorded(space, item) &&
           !inventory_is_copy(space, item) && inventory_has_layout(space, item);
}

/* The object that LIST is of was not found at this stop.  Returns ompd_rc_stale_handle when it is
 * gone; ompd_rc_ok when it may be where memory could not be read, which the list then says. */
ompd_rc_t inventory_owner_miss(struct address_space *space, struct list *list);

/* Gives what of all objects of the list's kind the recorder does not have. */
ompd_rc_t inventory_list_give(struct address_space *space, struct list *list, struct batch *batch);

/* Open a list of the destructor callbacks of the object with HANDLE. */
ompd_rc_t inventory_destructors_open(struct address_space *space, uint64_t handle,
                                     ompd_cl_list_t *id);

/* Open a list of the pointers that the SVM-free command with the event HANDLE frees. */
ompd_rc_t inventory_pointers_open(struct address_space *space, uint64_t handle, ompd_cl_list_t *id);

/* Open a list of what an SVM-free command waits for: layouts do not tell, so that it is incomplete
 * and says why. */
ompd_rc_t inventory_waits_open(struct address_space *space, ompd_cl_list_t *id);

#endif
