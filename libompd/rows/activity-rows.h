/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From activities of a thread to rows, and to what the row of the thread says of them. */
#ifndef LIBOMPD_ACTIVITY_ROWS_H
#define LIBOMPD_ACTIVITY_ROWS_H

#include "registry/activity.h"

/*
 * Set the state, the call, the cl handle and how many events are waited for of the thread in INFO,
 * whose depth is set, to those of its innermost activity, which *ACTIVITY gets; all 0 where that is
 * not known.  Returns ompd_rc_ok; ompd_rc_incomplete when something cannot be.
 */
ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info, struct activity *activity);

/* Fill INFO from ACTIVITY of the thread LWP.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read, or cannot be; ompd_rc_nomem. */
ompd_rc_t activity_row_fill(struct registry *registry, const struct activity *activity,
                            uint32_t lwp, ompd_cl_activity_info_t *info);

#endif
