/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/maps.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <host/region.h>

/* Add the region that a line of /proc/PID/maps tells of.  False: there is no memory. */
static bool add_line(struct region_list *list, const char *line)
{
    struct region region = {0};
    char mode[5];

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &region.start, &region.end, mode) != 3)
        return true;
    region.has_permissions = true;
    region.is_readable = mode[0] == 'r';
    region.is_writable = mode[1] == 'w';
    region.is_executable = mode[2] == 'x';
    return region_add(list, &region);
}

ompd_host_rc_t maps_open(ompd_host_target_t *target, FILE **maps)
{
    char path[64];

    /* By a thread that lives: the process's own is empty when its first thread has ended. */
    snprintf(path, sizeof(path), "/proc/%d/task/%u/maps", (int)target->pid, target->threads[0].lwp);
    *maps = fopen(path, "re");
    if (*maps != NULL)
        return ompd_host_rc_ok;
    return target_message_set(target,
                              errno == EACCES ? ompd_host_rc_not_permitted : ompd_host_rc_not_found,
                              "%s cannot be read: %s", path, strerror(errno));
}

ompd_host_rc_t maps_read(ompd_host_target_t *target)
{
    struct region_list list = {0};
    bool is_done = true;
    char *line = NULL;
    size_t capacity = 0;
    FILE *maps;
    ompd_host_rc_t rc = maps_open(target, &maps);

    if (rc != ompd_host_rc_ok)
        return rc;
    while (is_done && getline(&line, &capacity, maps) >= 0)
        is_done = add_line(&list, line);
    free(line);
    fclose(maps);
    if (!is_done) {
        free(list.items);
        return target_message_set(target, ompd_host_rc_nomem,
                                  "no memory for the process's regions");
    }
    region_sort(&list);
    free(target->regions);
    target->regions = list.items;
    target->region_count = list.count;
    return ompd_host_rc_ok;
}
