/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory to which the target's program presumably never wrote, so that nothing is there. */
#ifndef OMPD_HOST_UNTOUCHED_H
#define OMPD_HOST_UNTOUCHED_H

#include <host/region.h>

/*
 * Tell of the regions of a core in LIST which were never written to: memory of no file that its
 * writer left out whole, when it has other such memory.  What the kernel leaves out so has no
 * pages, or was excepted by madvise(2).
 */
void untouched_find(struct region_list *list);

/* ADDRESS of a process could not be read: find out how far it is a range with which the process
 * keeps others apart (MADV_GUARD_INSTALL), or which nothing was ever written to. */
void untouched_note(ompd_host_target_t *target, uint64_t address);

/* Split the regions of LIST, as they are mapped now, at the ranges that were noted.  False: there
 * is no memory. */
bool untouched_apply(const ompd_host_target_t *target, struct region_list *list);

#endif
