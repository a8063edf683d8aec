/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The dynamic linker's own list of what it has loaded (struct link_map of <link.h>), in a core. */
#ifndef OMPD_HOST_LINK_MAP_H
#define OMPD_HOST_LINK_MAP_H

#include <host/base.h>

struct link {
    uint64_t bias;    /* how much further the target has the file than that says */
    uint64_t dynamic; /* address of its dynamic section */
    char *path;       /* of the target; "" for the program; NULL: not known */
};

struct link_map {
    struct link *items; /* sorted by `dynamic` */
    size_t count;
    bool is_whole; /* no part of it was lost */
};

/* Read the list of TARGET, a core: empty where it cannot be found.  What makes no sense ends it. */
ompd_host_rc_t link_map_read(ompd_host_target_t *target, struct link_map *map);

/* The link of what has its dynamic section at ADDRESS; NULL: there is none. */
const struct link *link_map_find(const struct link_map *map, uint64_t address);

/* Give it back. */
void link_map_free(struct link_map *map);

#endif
