/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which pages of a process's memory are there: what it has reserved may be thousands of times as
 * much. */
#ifndef OMPD_HOST_PRESENT_PAGES_H
#define OMPD_HOST_PRESENT_PAGES_H

#include <host/region.h>

/*
 * Split the regions of LIST, as they are mapped now, where long stretches of private memory of no
 * file have no pages: no thread has written there, so that all is 0.  Where the kernel does not
 * tell, the regions stay as they are.  One that lists the pages of terabytes too slowly leaves
 * parts `is_unsearched`.  False: there is no memory.
 */
bool present_pages_apply(ompd_host_target_t *target, struct region_list *list);

#endif
