/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What keeps memory objects that the program has released: commands that surely have yet to end,
 * and objects made of them that the program has. */
#ifndef LIBOMPD_LATER_USES_H
#define LIBOMPD_LATER_USES_H

#include "findings/extents.h"
#include "findings/taking.h"

/* Begin with {0}. */
struct later_uses {
    struct extents pending; /* commands: `within` is the queue, `start` the number */
    struct extents all;     /* by the handle of the memory object, a byte each: `id` is that of the
                             * command or, where `is_read`, of the object */
};

/* Have them all.  Returns as taking_walk. */
ompd_rc_t later_uses_take(struct taking *taking, struct later_uses *uses);

/* Name in FINDING, as the other object, the kernel or queue of the command, or the object, that
 * uses the memory object HANDLE.  False: none does for sure, and *RC says whether the rule can go
 * on. */
bool later_uses_name(struct taking *taking, const struct later_uses *uses, uint64_t handle,
                     ompd_cl_finding_info_t *finding, ompd_rc_t *rc);

void later_uses_free(struct later_uses *uses, struct taking *taking);

#endif
