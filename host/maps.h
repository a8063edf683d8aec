/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The regions of a process, as /proc/PID/maps has them. */
#ifndef OMPD_HOST_MAPS_H
#define OMPD_HOST_MAPS_H

#include <stdio.h>

#include <host/base.h>
#include <host/region.h>

/* What a line tells, as far as it goes: what is missing is 0. */
struct maps_line {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    char mode[5];    /* as "r-xp" */
    uint64_t offset; /* bytes into the file */
    uint64_t inode;  /* 0: no file */
    char *path;      /* in the line, without its newline; or a name in brackets, or none: "" */
};

/* Read LINE, of which the newline goes; false: it tells of no region. */
bool maps_line_read(char *line, struct maps_line *read);

/* Give TAKE each line of what TARGET, a process, has mapped; false, there is no memory, ends it. */
ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context);

/* Put the regions that MAPS tells of, a file of such lines, into LIST, which is empty, sorted.
 * False: there is no memory. */
bool maps_regions_read(FILE *maps, struct region_list *list);

/* The same of TARGET, a process, now. */
ompd_host_rc_t maps_regions_list(ompd_host_target_t *target, struct region_list *list);

/* Keep that there is no memory for what TARGET has mapped, and return ompd_host_rc_nomem. */
ompd_host_rc_t maps_no_memory(ompd_host_target_t *target);

#endif
