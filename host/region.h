/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions being collected, from the program headers of a core or the maps of a process. */
#ifndef OMPD_HOST_REGION_H
#define OMPD_HOST_REGION_H

#include <host/base.h>

struct region_list {
    struct region *items;
    size_t count;
    size_t capacity;
};

/* Add a region to LIST, unless it is empty.  False: there is no memory. */
bool region_add(struct region_list *list, const struct region *region);

/* The first region that ends above ADDRESS; NULL: none. */
const struct region *region_find(const ompd_host_target_t *target, uint64_t address);

/* What is known of REGION, as ompd_cl_permission_t. */
uint32_t region_permissions(const struct region *region);

/* Sort LIST, and cut what overlaps, as it may in a damaged core, from the later region. */
void region_sort(struct region_list *list);

/* Add to LIST, which is sorted, what of COUNT sorted REGIONS it does not have, and sort it.  False:
 * there is no memory. */
bool region_put_missing(struct region_list *list, const struct region *regions, size_t count);

/*
 * Tell the regions of LIST, which is sorted, which of COUNT sorted FILES they map: they are split
 * where a file begins or ends.  What of the files is in no region becomes one without bytes or
 * permissions.  False: there is no memory.
 */
bool region_put_files(struct region_list *list, const struct file_mapping *files, size_t count);

#endif
