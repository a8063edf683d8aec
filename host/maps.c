/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/maps.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <host/region.h>
#include <host/untouched.h>

ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context)
{
    bool is_done = true;
    char *line = NULL;
    size_t capacity = 0;
    char path[64];
    FILE *maps;

    /* By a thread that lives: the process's own is empty when its first thread has ended. */
    snprintf(path, sizeof(path), "/proc/%d/task/%u/maps", (int)target->pid, target->threads[0].lwp);
    maps = fopen(path, "re");
    if (maps == NULL)
        return target_message_set(
            target, errno == EACCES ? ompd_host_rc_not_permitted : ompd_host_rc_not_found,
            "%s cannot be read: %s", path, strerror(errno));
    while (is_done && getline(&line, &capacity, maps) >= 0)
        is_done = take(context, line);
    free(line);
    fclose(maps);
    return is_done
               ? ompd_host_rc_ok
               : target_message_set(target, ompd_host_rc_nomem,
                                    "no memory for what process %d has mapped", (int)target->pid);
}

/* Add the region that LINE tells of to a list. */
static bool add_region(void *context, char *line)
{
    struct region region = {0};
    uint64_t inode = 0;
    char mode[5];

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64, &region.start, &region.end,
               mode, &inode) < 3)
        return true;
    region.has_permissions = true;
    region.is_readable = mode[0] == 'r';
    region.is_writable = mode[1] == 'w';
    region.is_executable = mode[2] == 'x';
    region.is_private = mode[3] == 'p' && inode == 0;
    return region_add(context, &region);
}

ompd_host_rc_t maps_read(ompd_host_target_t *target)
{
    struct region_list list = {0};
    ompd_host_rc_t rc = maps_visit(target, add_region, &list);

    if (rc != ompd_host_rc_ok) {
        free(list.items);
        return rc;
    }
    region_sort(&list);
    if (!untouched_apply(target, &list)) {
        free(list.items);
        return target_message_set(target, ompd_host_rc_nomem,
                                  "no memory for what process %d has mapped", (int)target->pid);
    }
    free(target->regions);
    target->regions = list.items;
    target->region_count = list.count;
    return ompd_host_rc_ok;
}
