/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which source shows an object that layouts have found. */
#ifndef LIBOMPD_ITEM_SOURCE_H
#define LIBOMPD_ITEM_SOURCE_H

#include "session/layout-source.h"

/* Tell whether it is known how ITEM keeps its fields: a layout may have gone since it was found. */
static inline bool inventory_has_layout(const struct address_space *space,
                                        const struct inventory_item *item)
{
    return item->runtime < space->layout->runtimes.count &&
           space->layout->runtimes.all[item->runtime].layout != NULL;
}

/* Tell whether the recorder has ITEM, which may be NULL, and shows it. */
static inline bool inventory_is_recorded(const struct address_space *space,
                                         const struct inventory_item *item)
{
    return item != NULL && (item->marks & inventory_recorded) != 0 &&
           address_space_has_recorder(space);
}

/* Tell whether ITEM is a copy of an object, or part of one: it may be, and the recorder, which has
 * seen all objects of its runtime, has none there. */
static inline bool inventory_is_copy(const struct address_space *space,
                                     const struct inventory_item *item)
{
    bool may_be_copy = item->doubt == ompd_cl_doubt_same_number ||
                       item->doubt == ompd_cl_doubt_over_counted ||
                       item->doubt == ompd_cl_doubt_twin || item->doubt == ompd_cl_doubt_place;

    return may_be_copy && (item->marks & inventory_recorded) == 0 &&
           address_space_has_recorder(space) &&
           (space->layout->recorded_runtimes >> item->runtime & 1) != 0;
}

/* Tell whether rows of SPACE come from ITEM: it is the program's, and not the recorder's to show.
 */
static inline bool inventory_is_shown(const struct address_space *space,
                                      const struct inventory_item *item)
{
    return (item->marks & inventory_internal) == 0 && !inventory_is_recorded(space, item) &&
           !inventory_is_copy(space, item) && inventory_has_layout(space, item);
}

#endif
